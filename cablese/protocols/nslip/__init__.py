"""nSLIP: ``REQ/TSK|g=42,t=1,p=2,@=auth_refactor``. Requirements NSLIP-01 to NSLIP-14."""
