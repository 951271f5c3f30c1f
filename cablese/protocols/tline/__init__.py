"""T-line: ``T|17|Q|obj=test_scope;ctx=api_auth``. Requirements TLINE-01 to TLINE-20."""
