"""What the tests of missing share with others."""

TURNS = """\
ruleset nameless-journey
encounter Two turns
join Ana heroes hp=30
join Lum raiders hp=22
ana12 lum16
lum
"""
PLAIN = """\
ruleset plain
encounter A brawl
join Ana heroes hp=9
join Bo foes hp=9
"""
DAMAGE = '{"type":"damage_dealt","target":"ana","amount":2}\n'
