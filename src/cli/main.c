#include <stdio.h>
int main(void) {
    puts("besd");
    return 0;
}
