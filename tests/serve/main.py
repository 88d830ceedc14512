"""The tests of besd serve. usage: main.py TOOL SOURCE_DIR [NAME...]"""

import sys
import unittest

import check_backup
import check_connections
import check_crowd
import check_ending
import check_framing
import check_limits
import check_operations
import check_refusals
import check_roles
import check_sources
import check_routes
import check_tls
import check_together
import check_twice
import check_views

if __name__ == "__main__":
    suite = unittest.TestSuite()
    for module in (check_refusals, check_roles, check_sources, check_tls, check_operations, check_backup, check_limits, check_twice, check_framing, check_connections, check_crowd, check_ending, check_together, check_views, check_routes):
        suite.addTests(unittest.defaultTestLoader.loadTestsFromModule(module))
    if len(sys.argv) > 3:
        wanted = [t for case in suite for t in (case if isinstance(case, unittest.TestSuite) else [case])]
        suite = unittest.TestSuite(t for t in wanted if any(n in t.id() for n in sys.argv[3:]))
    result = unittest.TextTestRunner(verbosity=1).run(suite)
    sys.exit(not result.wasSuccessful())
