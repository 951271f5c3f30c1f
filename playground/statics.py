"""Static files under hashed names, the addresses that our JavaScript modules import included.

Django's own switch for modules reads every script, other people's too, and stops at what only looks like an import.
"""

from django.contrib.staticfiles.storage import ManifestStaticFilesStorage

_IMPORT = r"""(?m)(?P<matched>^(?P<lead>(?:import|export)\b[^;"']*)"(?P<url>\.[^"]+)")"""


class HashedFiles(ManifestStaticFilesStorage):
    patterns = (*ManifestStaticFilesStorage.patterns, ("js/*.js", ((_IMPORT, '%(lead)s"%(url)s"'),)))
