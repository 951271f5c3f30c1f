"""AACP: ``FETCH|HR|return:HR-Agent|p:1|aacp:1.1|res:emp_salary``. Requirements AACP-01 to
AACP-47.
"""
