BEGIN TRANSACTION;
CREATE TABLE competitions (
    id text primary key,
    name text not null,
    settings text not null,
    sources text,
    secret text not null,
    state text not null check (state in ('registering', 'running', 'paused', 'finished', 'cancelled')),
    reason text,
    created_at text not null,
    started_at text,
    ended_at text
);
INSERT INTO "competitions" VALUES('e57e41590441','Swiss','{"name":"Swiss","games":[{"game":"matching_pennies","parameters":{},"rules":null,"files":{}}],"format":{"kind":"swiss","rounds":2},"entry":"everybody","allowed":[],"starts_at":null,"min_players":3,"max_players":null,"latecomers":false,"qualifying":false,"repeats":1,"start_clock_ms":400,"play_clock_ms":300,"allowance_ms":50,"total_ms":null,"increment_ms":0,"strikes":0,"hide_times":null,"common_chance":false,"matches_at_once":1,"journals":"public","seed":null}','[{"name":"matching_pennies","rules":"# The smallest game without a pure equilibrium: both show a coin, one wants them alike, the other different.\ngame matching_pennies \"Show a coin: alike wins for one, different for the other\"\n\nplayers even, odd\ntype face = {heads, tails}\n\nstate\n    shown[player]: face or none = none\n\nphase show\n    each p chooses coin in face\n    shown[p] := coin[p]                                    for p in player\n    next end\n\npayoff[p] = if (shown[even] == shown[odd]) == (p == even) then 1 else -1\npayoff sum = 0\n\ndisplay\n    line \"shown\" shown\n","files":{},"parameters":{}}]','e975e785eec9cae15d968ca1d2cd32686b6ef14889d56454319d12e100cb2884','finished',NULL,'2026-11-23T13:01:02.012+00:00','2026-11-23T13:01:02.033+00:00','2026-11-23T13:01:02.211+00:00');
INSERT INTO "competitions" VALUES('606331169f10','Closed','{"name":"Closed","games":[{"game":"matching_pennies","parameters":{},"rules":null,"files":{}}],"format":{"kind":"round_robin","cycles":1},"entry":"invitation","allowed":[],"starts_at":null,"min_players":null,"max_players":null,"latecomers":false,"qualifying":false,"repeats":1,"start_clock_ms":400,"play_clock_ms":300,"allowance_ms":50,"total_ms":null,"increment_ms":0,"strikes":0,"hide_times":null,"common_chance":false,"matches_at_once":1,"journals":"public","seed":null}','[{"name":"matching_pennies","rules":"# The smallest game without a pure equilibrium: both show a coin, one wants them alike, the other different.\ngame matching_pennies \"Show a coin: alike wins for one, different for the other\"\n\nplayers even, odd\ntype face = {heads, tails}\n\nstate\n    shown[player]: face or none = none\n\nphase show\n    each p chooses coin in face\n    shown[p] := coin[p]                                    for p in player\n    next end\n\npayoff[p] = if (shown[even] == shown[odd]) == (p == even) then 1 else -1\npayoff sum = 0\n\ndisplay\n    line \"shown\" shown\n","files":{},"parameters":{}}]','39e3491d67028c269c0fdde8337326deb369869283d73a3ca63782c82f5536f0','registering',NULL,'2026-11-23T13:01:02.228+00:00',NULL,NULL);
INSERT INTO "competitions" VALUES('1334801765da','Ladder','{"name":"Ladder","games":[{"game":"matching_pennies","parameters":{},"rules":null,"files":{}}],"format":{"kind":"ladder"},"entry":"everybody","allowed":[],"starts_at":null,"min_players":2,"max_players":null,"latecomers":false,"qualifying":false,"repeats":1,"start_clock_ms":400,"play_clock_ms":300,"allowance_ms":50,"total_ms":null,"increment_ms":0,"strikes":0,"hide_times":null,"common_chance":false,"matches_at_once":1,"journals":"public","seed":null}','[{"name":"matching_pennies","rules":"# The smallest game without a pure equilibrium: both show a coin, one wants them alike, the other different.\ngame matching_pennies \"Show a coin: alike wins for one, different for the other\"\n\nplayers even, odd\ntype face = {heads, tails}\n\nstate\n    shown[player]: face or none = none\n\nphase show\n    each p chooses coin in face\n    shown[p] := coin[p]                                    for p in player\n    next end\n\npayoff[p] = if (shown[even] == shown[odd]) == (p == even) then 1 else -1\npayoff sum = 0\n\ndisplay\n    line \"shown\" shown\n","files":{},"parameters":{}}]','094a205c52a4c8089662005d0b5f2cc2c2e41cba65665509abce8c1e542514a7','running',NULL,'2026-11-23T13:01:02.270+00:00','2026-11-23T13:01:02.283+00:00',NULL);
CREATE TABLE entrants (
    id integer primary key,
    competition text not null references competitions (id),
    player integer not null references players (id),
    state text not null,
    reason text,
    entered_at text not null,
    unique (competition, player)
);
INSERT INTO "entrants" VALUES(1,'e57e41590441',1,'entered',NULL,'2026-11-23T13:01:02.031+00:00');
INSERT INTO "entrants" VALUES(2,'e57e41590441',2,'entered',NULL,'2026-11-23T13:01:02.032+00:00');
INSERT INTO "entrants" VALUES(3,'e57e41590441',3,'entered',NULL,'2026-11-23T13:01:02.032+00:00');
INSERT INTO "entrants" VALUES(4,'1334801765da',1,'entered',NULL,'2026-11-23T13:01:02.280+00:00');
INSERT INTO "entrants" VALUES(5,'1334801765da',2,'entered',NULL,'2026-11-23T13:01:02.280+00:00');
INSERT INTO "entrants" VALUES(6,'1334801765da',3,'entered',NULL,'2026-11-23T13:01:02.280+00:00');
CREATE TABLE errors (
    id integer primary key,
    match text references matches (id),
    player integer not null references players (id),
    step integer,
    kind text not null,
    detail text not null,
    at text not null
);
CREATE TABLE events (
    match text not null references matches (id),
    number integer not null,
    line text not null,
    primary key (match, number)
) without rowid;
INSERT INTO "events" VALUES('574e7c5e9ffc',0,'{"event":"created","match":"574e7c5e9ffc","game":"matching_pennies","rules":"# The smallest game without a pure equilibrium: both show a coin, one wants them alike, the other different.\ngame matching_pennies \"Show a coin: alike wins for one, different for the other\"\n\nplayers even, odd\ntype face = {heads, tails}\n\nstate\n    shown[player]: face or none = none\n\nphase show\n    each p chooses coin in face\n    shown[p] := coin[p]                                    for p in player\n    next end\n\npayoff[p] = if (shown[even] == shown[odd]) == (p == even) then 1 else -1\npayoff sum = 0\n\ndisplay\n    line \"shown\" shown\n","files":{},"parameters":{},"roles":["even","odd"],"names":["c","a"],"start_clock_ms":400,"play_clock_ms":300,"allowance_ms":50,"transition_limit":10000,"seed":"198b004bff9662b89ddc31fd87b481ab","nonce":"d4ba0030f1720c21ed5076de1f683f15","protocol":1,"total_ms":null,"increment_ms":0,"strikes":0,"hide_times":false}');
INSERT INTO "events" VALUES('574e7c5e9ffc',1,'{"event":"begun","at_ms":0}');
INSERT INTO "events" VALUES('574e7c5e9ffc',2,'{"event":"sent","player":0,"message":{"type":"start","match":"574e7c5e9ffc","number":0,"game":"matching_pennies","rules":"# The smallest game without a pure equilibrium: both show a coin, one wants them alike, the other different.\ngame matching_pennies \"Show a coin: alike wins for one, different for the other\"\n\nplayers even, odd\ntype face = {heads, tails}\n\nstate\n    shown[player]: face or none = none\n\nphase show\n    each p chooses coin in face\n    shown[p] := coin[p]                                    for p in player\n    next end\n\npayoff[p] = if (shown[even] == shown[odd]) == (p == even) then 1 else -1\npayoff sum = 0\n\ndisplay\n    line \"shown\" shown\n","files":{},"parameters":{},"roles":["even","odd"],"role":"even","start_clock_ms":400,"play_clock_ms":300,"allowance_ms":50,"remaining_ms":400,"seed_hash":"a59c59630e7e1c2b2e42c34bbab5b6a190d15476298695f37e2972d4354e7f69","total_ms":null,"increment_ms":0,"strikes":0,"hide_times":false}}');
INSERT INTO "events" VALUES('574e7c5e9ffc',3,'{"event":"sent","player":1,"message":{"type":"start","match":"574e7c5e9ffc","number":0,"game":"matching_pennies","rules":"# The smallest game without a pure equilibrium: both show a coin, one wants them alike, the other different.\ngame matching_pennies \"Show a coin: alike wins for one, different for the other\"\n\nplayers even, odd\ntype face = {heads, tails}\n\nstate\n    shown[player]: face or none = none\n\nphase show\n    each p chooses coin in face\n    shown[p] := coin[p]                                    for p in player\n    next end\n\npayoff[p] = if (shown[even] == shown[odd]) == (p == even) then 1 else -1\npayoff sum = 0\n\ndisplay\n    line \"shown\" shown\n","files":{},"parameters":{},"roles":["even","odd"],"role":"odd","start_clock_ms":400,"play_clock_ms":300,"allowance_ms":50,"remaining_ms":400,"seed_hash":"a59c59630e7e1c2b2e42c34bbab5b6a190d15476298695f37e2972d4354e7f69","total_ms":null,"increment_ms":0,"strikes":0,"hide_times":false}}');
INSERT INTO "events" VALUES('574e7c5e9ffc',4,'{"event":"announced","at_ms":1}');
INSERT INTO "events" VALUES('574e7c5e9ffc',5,'{"event":"received","at_ms":3,"player":1,"message":{"type":"ready","match":"574e7c5e9ffc"}}');
INSERT INTO "events" VALUES('574e7c5e9ffc',6,'{"event":"received","at_ms":3,"player":0,"message":{"type":"ready","match":"574e7c5e9ffc"}}');
INSERT INTO "events" VALUES('574e7c5e9ffc',7,'{"event":"sent","player":0,"message":{"type":"act","match":"574e7c5e9ffc","number":1,"step":0,"legal":["heads","tails"],"remaining_ms":300}}');
INSERT INTO "events" VALUES('574e7c5e9ffc',8,'{"event":"sent","player":1,"message":{"type":"act","match":"574e7c5e9ffc","number":1,"step":0,"legal":["heads","tails"],"remaining_ms":300}}');
INSERT INTO "events" VALUES('574e7c5e9ffc',9,'{"event":"announced","at_ms":17}');
INSERT INTO "events" VALUES('574e7c5e9ffc',10,'{"event":"received","at_ms":18,"player":0,"message":{"type":"move","match":"574e7c5e9ffc","step":0,"action":"tails"}}');
INSERT INTO "events" VALUES('574e7c5e9ffc',11,'{"event":"received","at_ms":29,"player":1,"message":{"type":"move","match":"574e7c5e9ffc","step":0,"action":"heads"}}');
INSERT INTO "events" VALUES('574e7c5e9ffc',12,'{"event":"transition","actions":{"even":"tails","odd":"heads"},"outcome":null}');
INSERT INTO "events" VALUES('574e7c5e9ffc',13,'{"event":"sent","player":0,"message":{"type":"observe","match":"574e7c5e9ffc","number":2,"action":"tails","replaced":null,"observation":[{"label":"coin","value":{"even":"tails","odd":"heads"}}]}}');
INSERT INTO "events" VALUES('574e7c5e9ffc',14,'{"event":"sent","player":1,"message":{"type":"observe","match":"574e7c5e9ffc","number":2,"action":"heads","replaced":null,"observation":[{"label":"coin","value":{"even":"tails","odd":"heads"}}]}}');
INSERT INTO "events" VALUES('574e7c5e9ffc',15,'{"event":"ended","result":"finished","reason":null,"utilities":[-1.0,1.0],"forfeited":[]}');
INSERT INTO "events" VALUES('574e7c5e9ffc',16,'{"event":"sent","player":0,"message":{"type":"end","match":"574e7c5e9ffc","number":3,"result":"finished","reason":null,"utilities":{"even":-1.0,"odd":1.0},"errors":[],"errors_left_out":0,"forfeited":[]}}');
INSERT INTO "events" VALUES('574e7c5e9ffc',17,'{"event":"sent","player":1,"message":{"type":"end","match":"574e7c5e9ffc","number":3,"result":"finished","reason":null,"utilities":{"even":-1.0,"odd":1.0},"errors":[],"errors_left_out":0,"forfeited":[]}}');
INSERT INTO "events" VALUES('574e7c5e9ffc',18,'{"event":"released","at_ms":45}');
INSERT INTO "events" VALUES('574e7c5e9ffc',19,'{"event":"sent","player":0,"message":{"type":"reveal","match":"574e7c5e9ffc","number":4,"seed":"198b004bff9662b89ddc31fd87b481ab","nonce":"d4ba0030f1720c21ed5076de1f683f15"}}');
INSERT INTO "events" VALUES('574e7c5e9ffc',20,'{"event":"sent","player":1,"message":{"type":"reveal","match":"574e7c5e9ffc","number":4,"seed":"198b004bff9662b89ddc31fd87b481ab","nonce":"d4ba0030f1720c21ed5076de1f683f15"}}');
INSERT INTO "events" VALUES('5f6cf5fe69c5',0,'{"event":"created","match":"5f6cf5fe69c5","game":"matching_pennies","rules":"# The smallest game without a pure equilibrium: both show a coin, one wants them alike, the other different.\ngame matching_pennies \"Show a coin: alike wins for one, different for the other\"\n\nplayers even, odd\ntype face = {heads, tails}\n\nstate\n    shown[player]: face or none = none\n\nphase show\n    each p chooses coin in face\n    shown[p] := coin[p]                                    for p in player\n    next end\n\npayoff[p] = if (shown[even] == shown[odd]) == (p == even) then 1 else -1\npayoff sum = 0\n\ndisplay\n    line \"shown\" shown\n","files":{},"parameters":{},"roles":["even","odd"],"names":["b","a"],"start_clock_ms":400,"play_clock_ms":300,"allowance_ms":50,"transition_limit":10000,"seed":"f7ed318bce0583ee494fb016403a0fa0","nonce":"d9c92b3e6a61e6b737f65518b1f3c68c","protocol":1,"total_ms":null,"increment_ms":0,"strikes":0,"hide_times":false}');
INSERT INTO "events" VALUES('5f6cf5fe69c5',1,'{"event":"begun","at_ms":0}');
INSERT INTO "events" VALUES('5f6cf5fe69c5',2,'{"event":"sent","player":0,"message":{"type":"start","match":"5f6cf5fe69c5","number":0,"game":"matching_pennies","rules":"# The smallest game without a pure equilibrium: both show a coin, one wants them alike, the other different.\ngame matching_pennies \"Show a coin: alike wins for one, different for the other\"\n\nplayers even, odd\ntype face = {heads, tails}\n\nstate\n    shown[player]: face or none = none\n\nphase show\n    each p chooses coin in face\n    shown[p] := coin[p]                                    for p in player\n    next end\n\npayoff[p] = if (shown[even] == shown[odd]) == (p == even) then 1 else -1\npayoff sum = 0\n\ndisplay\n    line \"shown\" shown\n","files":{},"parameters":{},"roles":["even","odd"],"role":"even","start_clock_ms":400,"play_clock_ms":300,"allowance_ms":50,"remaining_ms":400,"seed_hash":"b6cff376a98ab7b1eb186e3c60e825276e9c31085b376063441ae0ee04d98e4e","total_ms":null,"increment_ms":0,"strikes":0,"hide_times":false}}');
INSERT INTO "events" VALUES('5f6cf5fe69c5',3,'{"event":"sent","player":1,"message":{"type":"start","match":"5f6cf5fe69c5","number":0,"game":"matching_pennies","rules":"# The smallest game without a pure equilibrium: both show a coin, one wants them alike, the other different.\ngame matching_pennies \"Show a coin: alike wins for one, different for the other\"\n\nplayers even, odd\ntype face = {heads, tails}\n\nstate\n    shown[player]: face or none = none\n\nphase show\n    each p chooses coin in face\n    shown[p] := coin[p]                                    for p in player\n    next end\n\npayoff[p] = if (shown[even] == shown[odd]) == (p == even) then 1 else -1\npayoff sum = 0\n\ndisplay\n    line \"shown\" shown\n","files":{},"parameters":{},"roles":["even","odd"],"role":"odd","start_clock_ms":400,"play_clock_ms":300,"allowance_ms":50,"remaining_ms":400,"seed_hash":"b6cff376a98ab7b1eb186e3c60e825276e9c31085b376063441ae0ee04d98e4e","total_ms":null,"increment_ms":0,"strikes":0,"hide_times":false}}');
INSERT INTO "events" VALUES('5f6cf5fe69c5',4,'{"event":"announced","at_ms":10}');
INSERT INTO "events" VALUES('5f6cf5fe69c5',5,'{"event":"received","at_ms":11,"player":0,"message":{"type":"ready","match":"5f6cf5fe69c5"}}');
INSERT INTO "events" VALUES('5f6cf5fe69c5',6,'{"event":"received","at_ms":11,"player":1,"message":{"type":"ready","match":"5f6cf5fe69c5"}}');
INSERT INTO "events" VALUES('5f6cf5fe69c5',7,'{"event":"sent","player":0,"message":{"type":"act","match":"5f6cf5fe69c5","number":1,"step":0,"legal":["heads","tails"],"remaining_ms":300}}');
INSERT INTO "events" VALUES('5f6cf5fe69c5',8,'{"event":"sent","player":1,"message":{"type":"act","match":"5f6cf5fe69c5","number":1,"step":0,"legal":["heads","tails"],"remaining_ms":300}}');
INSERT INTO "events" VALUES('5f6cf5fe69c5',9,'{"event":"announced","at_ms":19}');
INSERT INTO "events" VALUES('5f6cf5fe69c5',10,'{"event":"received","at_ms":20,"player":0,"message":{"type":"move","match":"5f6cf5fe69c5","step":0,"action":"heads"}}');
INSERT INTO "events" VALUES('5f6cf5fe69c5',11,'{"event":"received","at_ms":20,"player":1,"message":{"type":"move","match":"5f6cf5fe69c5","step":0,"action":"tails"}}');
INSERT INTO "events" VALUES('5f6cf5fe69c5',12,'{"event":"transition","actions":{"even":"heads","odd":"tails"},"outcome":null}');
INSERT INTO "events" VALUES('5f6cf5fe69c5',13,'{"event":"sent","player":0,"message":{"type":"observe","match":"5f6cf5fe69c5","number":2,"action":"heads","replaced":null,"observation":[{"label":"coin","value":{"even":"heads","odd":"tails"}}]}}');
INSERT INTO "events" VALUES('5f6cf5fe69c5',14,'{"event":"sent","player":1,"message":{"type":"observe","match":"5f6cf5fe69c5","number":2,"action":"tails","replaced":null,"observation":[{"label":"coin","value":{"even":"heads","odd":"tails"}}]}}');
INSERT INTO "events" VALUES('5f6cf5fe69c5',15,'{"event":"ended","result":"finished","reason":null,"utilities":[-1.0,1.0],"forfeited":[]}');
INSERT INTO "events" VALUES('5f6cf5fe69c5',16,'{"event":"sent","player":0,"message":{"type":"end","match":"5f6cf5fe69c5","number":3,"result":"finished","reason":null,"utilities":{"even":-1.0,"odd":1.0},"errors":[],"errors_left_out":0,"forfeited":[]}}');
INSERT INTO "events" VALUES('5f6cf5fe69c5',17,'{"event":"sent","player":1,"message":{"type":"end","match":"5f6cf5fe69c5","number":3,"result":"finished","reason":null,"utilities":{"even":-1.0,"odd":1.0},"errors":[],"errors_left_out":0,"forfeited":[]}}');
INSERT INTO "events" VALUES('5f6cf5fe69c5',18,'{"event":"released","at_ms":24}');
INSERT INTO "events" VALUES('5f6cf5fe69c5',19,'{"event":"sent","player":0,"message":{"type":"reveal","match":"5f6cf5fe69c5","number":4,"seed":"f7ed318bce0583ee494fb016403a0fa0","nonce":"d9c92b3e6a61e6b737f65518b1f3c68c"}}');
INSERT INTO "events" VALUES('5f6cf5fe69c5',20,'{"event":"sent","player":1,"message":{"type":"reveal","match":"5f6cf5fe69c5","number":4,"seed":"f7ed318bce0583ee494fb016403a0fa0","nonce":"d9c92b3e6a61e6b737f65518b1f3c68c"}}');
INSERT INTO "events" VALUES('6c09e39ee9dd',0,'{"event":"created","match":"6c09e39ee9dd","game":"matching_pennies","rules":"# The smallest game without a pure equilibrium: both show a coin, one wants them alike, the other different.\ngame matching_pennies \"Show a coin: alike wins for one, different for the other\"\n\nplayers even, odd\ntype face = {heads, tails}\n\nstate\n    shown[player]: face or none = none\n\nphase show\n    each p chooses coin in face\n    shown[p] := coin[p]                                    for p in player\n    next end\n\npayoff[p] = if (shown[even] == shown[odd]) == (p == even) then 1 else -1\npayoff sum = 0\n\ndisplay\n    line \"shown\" shown\n","files":{},"parameters":{},"roles":["even","odd"],"names":["c","a"],"start_clock_ms":400,"play_clock_ms":300,"allowance_ms":50,"transition_limit":10000,"seed":"3d64b9ca0ff13a45cbbed9f574ff8930","nonce":"450b039446033e9f02f7f4f236d55687","protocol":1,"total_ms":null,"increment_ms":0,"strikes":0,"hide_times":false}');
INSERT INTO "events" VALUES('6c09e39ee9dd',1,'{"event":"begun","at_ms":0}');
INSERT INTO "events" VALUES('6c09e39ee9dd',2,'{"event":"sent","player":0,"message":{"type":"start","match":"6c09e39ee9dd","number":0,"game":"matching_pennies","rules":"# The smallest game without a pure equilibrium: both show a coin, one wants them alike, the other different.\ngame matching_pennies \"Show a coin: alike wins for one, different for the other\"\n\nplayers even, odd\ntype face = {heads, tails}\n\nstate\n    shown[player]: face or none = none\n\nphase show\n    each p chooses coin in face\n    shown[p] := coin[p]                                    for p in player\n    next end\n\npayoff[p] = if (shown[even] == shown[odd]) == (p == even) then 1 else -1\npayoff sum = 0\n\ndisplay\n    line \"shown\" shown\n","files":{},"parameters":{},"roles":["even","odd"],"role":"even","start_clock_ms":400,"play_clock_ms":300,"allowance_ms":50,"remaining_ms":400,"seed_hash":"d9bad169d6d2657e61e8a3bf7dcf7a03bdbc95fccf209a395f9aeca87693a691","total_ms":null,"increment_ms":0,"strikes":0,"hide_times":false}}');
INSERT INTO "events" VALUES('6c09e39ee9dd',3,'{"event":"sent","player":1,"message":{"type":"start","match":"6c09e39ee9dd","number":0,"game":"matching_pennies","rules":"# The smallest game without a pure equilibrium: both show a coin, one wants them alike, the other different.\ngame matching_pennies \"Show a coin: alike wins for one, different for the other\"\n\nplayers even, odd\ntype face = {heads, tails}\n\nstate\n    shown[player]: face or none = none\n\nphase show\n    each p chooses coin in face\n    shown[p] := coin[p]                                    for p in player\n    next end\n\npayoff[p] = if (shown[even] == shown[odd]) == (p == even) then 1 else -1\npayoff sum = 0\n\ndisplay\n    line \"shown\" shown\n","files":{},"parameters":{},"roles":["even","odd"],"role":"odd","start_clock_ms":400,"play_clock_ms":300,"allowance_ms":50,"remaining_ms":400,"seed_hash":"d9bad169d6d2657e61e8a3bf7dcf7a03bdbc95fccf209a395f9aeca87693a691","total_ms":null,"increment_ms":0,"strikes":0,"hide_times":false}}');
INSERT INTO "events" VALUES('6c09e39ee9dd',4,'{"event":"announced","at_ms":10}');
INSERT INTO "events" VALUES('6c09e39ee9dd',5,'{"event":"received","at_ms":11,"player":0,"message":{"type":"ready","match":"6c09e39ee9dd"}}');
INSERT INTO "events" VALUES('6c09e39ee9dd',6,'{"event":"received","at_ms":11,"player":1,"message":{"type":"ready","match":"6c09e39ee9dd"}}');
INSERT INTO "events" VALUES('6c09e39ee9dd',7,'{"event":"sent","player":0,"message":{"type":"act","match":"6c09e39ee9dd","number":1,"step":0,"legal":["heads","tails"],"remaining_ms":300}}');
INSERT INTO "events" VALUES('6c09e39ee9dd',8,'{"event":"sent","player":1,"message":{"type":"act","match":"6c09e39ee9dd","number":1,"step":0,"legal":["heads","tails"],"remaining_ms":300}}');
INSERT INTO "events" VALUES('6c09e39ee9dd',9,'{"event":"announced","at_ms":40}');
INSERT INTO "events" VALUES('6c09e39ee9dd',10,'{"event":"received","at_ms":42,"player":0,"message":{"type":"move","match":"6c09e39ee9dd","step":0,"action":"tails"}}');
INSERT INTO "events" VALUES('6c09e39ee9dd',11,'{"event":"received","at_ms":42,"player":1,"message":{"type":"move","match":"6c09e39ee9dd","step":0,"action":"heads"}}');
INSERT INTO "events" VALUES('6c09e39ee9dd',12,'{"event":"transition","actions":{"even":"tails","odd":"heads"},"outcome":null}');
INSERT INTO "events" VALUES('6c09e39ee9dd',13,'{"event":"sent","player":0,"message":{"type":"observe","match":"6c09e39ee9dd","number":2,"action":"tails","replaced":null,"observation":[{"label":"coin","value":{"even":"tails","odd":"heads"}}]}}');
INSERT INTO "events" VALUES('6c09e39ee9dd',14,'{"event":"sent","player":1,"message":{"type":"observe","match":"6c09e39ee9dd","number":2,"action":"heads","replaced":null,"observation":[{"label":"coin","value":{"even":"tails","odd":"heads"}}]}}');
INSERT INTO "events" VALUES('6c09e39ee9dd',15,'{"event":"ended","result":"finished","reason":null,"utilities":[-1.0,1.0],"forfeited":[]}');
INSERT INTO "events" VALUES('6c09e39ee9dd',16,'{"event":"sent","player":0,"message":{"type":"end","match":"6c09e39ee9dd","number":3,"result":"finished","reason":null,"utilities":{"even":-1.0,"odd":1.0},"errors":[],"errors_left_out":0,"forfeited":[]}}');
INSERT INTO "events" VALUES('6c09e39ee9dd',17,'{"event":"sent","player":1,"message":{"type":"end","match":"6c09e39ee9dd","number":3,"result":"finished","reason":null,"utilities":{"even":-1.0,"odd":1.0},"errors":[],"errors_left_out":0,"forfeited":[]}}');
INSERT INTO "events" VALUES('6c09e39ee9dd',18,'{"event":"released","at_ms":66}');
INSERT INTO "events" VALUES('6c09e39ee9dd',19,'{"event":"sent","player":0,"message":{"type":"reveal","match":"6c09e39ee9dd","number":4,"seed":"3d64b9ca0ff13a45cbbed9f574ff8930","nonce":"450b039446033e9f02f7f4f236d55687"}}');
INSERT INTO "events" VALUES('6c09e39ee9dd',20,'{"event":"sent","player":1,"message":{"type":"reveal","match":"6c09e39ee9dd","number":4,"seed":"3d64b9ca0ff13a45cbbed9f574ff8930","nonce":"450b039446033e9f02f7f4f236d55687"}}');
INSERT INTO "events" VALUES('84f48ecb4484',0,'{"event":"created","match":"84f48ecb4484","game":"matching_pennies","rules":"# The smallest game without a pure equilibrium: both show a coin, one wants them alike, the other different.\ngame matching_pennies \"Show a coin: alike wins for one, different for the other\"\n\nplayers even, odd\ntype face = {heads, tails}\n\nstate\n    shown[player]: face or none = none\n\nphase show\n    each p chooses coin in face\n    shown[p] := coin[p]                                    for p in player\n    next end\n\npayoff[p] = if (shown[even] == shown[odd]) == (p == even) then 1 else -1\npayoff sum = 0\n\ndisplay\n    line \"shown\" shown\n","files":{},"parameters":{},"roles":["even","odd"],"names":["a","b"],"start_clock_ms":400,"play_clock_ms":300,"allowance_ms":50,"transition_limit":10000,"seed":"6a14d055fb24ebbd549f131b2d993151","nonce":"526b85b3935afa068c7937f1ead3641d","protocol":1,"total_ms":null,"increment_ms":0,"strikes":0,"hide_times":false}');
INSERT INTO "events" VALUES('84f48ecb4484',1,'{"event":"begun","at_ms":0}');
INSERT INTO "events" VALUES('84f48ecb4484',2,'{"event":"sent","player":0,"message":{"type":"start","match":"84f48ecb4484","number":0,"game":"matching_pennies","rules":"# The smallest game without a pure equilibrium: both show a coin, one wants them alike, the other different.\ngame matching_pennies \"Show a coin: alike wins for one, different for the other\"\n\nplayers even, odd\ntype face = {heads, tails}\n\nstate\n    shown[player]: face or none = none\n\nphase show\n    each p chooses coin in face\n    shown[p] := coin[p]                                    for p in player\n    next end\n\npayoff[p] = if (shown[even] == shown[odd]) == (p == even) then 1 else -1\npayoff sum = 0\n\ndisplay\n    line \"shown\" shown\n","files":{},"parameters":{},"roles":["even","odd"],"role":"even","start_clock_ms":400,"play_clock_ms":300,"allowance_ms":50,"remaining_ms":400,"seed_hash":"8b26d46e6e754ad5aa1086051433ac3fdebac1a72879893ee585dc6df23955d9","total_ms":null,"increment_ms":0,"strikes":0,"hide_times":false}}');
INSERT INTO "events" VALUES('84f48ecb4484',3,'{"event":"sent","player":1,"message":{"type":"start","match":"84f48ecb4484","number":0,"game":"matching_pennies","rules":"# The smallest game without a pure equilibrium: both show a coin, one wants them alike, the other different.\ngame matching_pennies \"Show a coin: alike wins for one, different for the other\"\n\nplayers even, odd\ntype face = {heads, tails}\n\nstate\n    shown[player]: face or none = none\n\nphase show\n    each p chooses coin in face\n    shown[p] := coin[p]                                    for p in player\n    next end\n\npayoff[p] = if (shown[even] == shown[odd]) == (p == even) then 1 else -1\npayoff sum = 0\n\ndisplay\n    line \"shown\" shown\n","files":{},"parameters":{},"roles":["even","odd"],"role":"odd","start_clock_ms":400,"play_clock_ms":300,"allowance_ms":50,"remaining_ms":400,"seed_hash":"8b26d46e6e754ad5aa1086051433ac3fdebac1a72879893ee585dc6df23955d9","total_ms":null,"increment_ms":0,"strikes":0,"hide_times":false}}');
INSERT INTO "events" VALUES('84f48ecb4484',4,'{"event":"announced","at_ms":6}');
INSERT INTO "events" VALUES('84f48ecb4484',5,'{"event":"received","at_ms":7,"player":0,"message":{"type":"ready","match":"84f48ecb4484"}}');
INSERT INTO "events" VALUES('84f48ecb4484',6,'{"event":"received","at_ms":7,"player":1,"message":{"type":"ready","match":"84f48ecb4484"}}');
INSERT INTO "events" VALUES('84f48ecb4484',7,'{"event":"sent","player":0,"message":{"type":"act","match":"84f48ecb4484","number":1,"step":0,"legal":["heads","tails"],"remaining_ms":300}}');
INSERT INTO "events" VALUES('84f48ecb4484',8,'{"event":"sent","player":1,"message":{"type":"act","match":"84f48ecb4484","number":1,"step":0,"legal":["heads","tails"],"remaining_ms":300}}');
INSERT INTO "events" VALUES('84f48ecb4484',9,'{"event":"announced","at_ms":9}');
INSERT INTO "events" VALUES('84f48ecb4484',10,'{"event":"received","at_ms":9,"player":0,"message":{"type":"move","match":"84f48ecb4484","step":0,"action":"tails"}}');
INSERT INTO "events" VALUES('84f48ecb4484',11,'{"event":"received","at_ms":9,"player":1,"message":{"type":"move","match":"84f48ecb4484","step":0,"action":"tails"}}');
INSERT INTO "events" VALUES('84f48ecb4484',12,'{"event":"transition","actions":{"even":"tails","odd":"tails"},"outcome":null}');
INSERT INTO "events" VALUES('84f48ecb4484',13,'{"event":"sent","player":0,"message":{"type":"observe","match":"84f48ecb4484","number":2,"action":"tails","replaced":null,"observation":[{"label":"coin","value":{"even":"tails","odd":"tails"}}]}}');
INSERT INTO "events" VALUES('84f48ecb4484',14,'{"event":"sent","player":1,"message":{"type":"observe","match":"84f48ecb4484","number":2,"action":"tails","replaced":null,"observation":[{"label":"coin","value":{"even":"tails","odd":"tails"}}]}}');
INSERT INTO "events" VALUES('84f48ecb4484',15,'{"event":"ended","result":"finished","reason":null,"utilities":[1.0,-1.0],"forfeited":[]}');
INSERT INTO "events" VALUES('84f48ecb4484',16,'{"event":"sent","player":0,"message":{"type":"end","match":"84f48ecb4484","number":3,"result":"finished","reason":null,"utilities":{"even":1.0,"odd":-1.0},"errors":[],"errors_left_out":0,"forfeited":[]}}');
INSERT INTO "events" VALUES('84f48ecb4484',17,'{"event":"sent","player":1,"message":{"type":"end","match":"84f48ecb4484","number":3,"result":"finished","reason":null,"utilities":{"even":1.0,"odd":-1.0},"errors":[],"errors_left_out":0,"forfeited":[]}}');
INSERT INTO "events" VALUES('84f48ecb4484',18,'{"event":"released","at_ms":11}');
INSERT INTO "events" VALUES('84f48ecb4484',19,'{"event":"sent","player":0,"message":{"type":"reveal","match":"84f48ecb4484","number":4,"seed":"6a14d055fb24ebbd549f131b2d993151","nonce":"526b85b3935afa068c7937f1ead3641d"}}');
INSERT INTO "events" VALUES('84f48ecb4484',20,'{"event":"sent","player":1,"message":{"type":"reveal","match":"84f48ecb4484","number":4,"seed":"6a14d055fb24ebbd549f131b2d993151","nonce":"526b85b3935afa068c7937f1ead3641d"}}');
INSERT INTO "events" VALUES('8a0174c0e867',0,'{"event":"created","match":"8a0174c0e867","game":"matching_pennies","rules":"# The smallest game without a pure equilibrium: both show a coin, one wants them alike, the other different.\ngame matching_pennies \"Show a coin: alike wins for one, different for the other\"\n\nplayers even, odd\ntype face = {heads, tails}\n\nstate\n    shown[player]: face or none = none\n\nphase show\n    each p chooses coin in face\n    shown[p] := coin[p]                                    for p in player\n    next end\n\npayoff[p] = if (shown[even] == shown[odd]) == (p == even) then 1 else -1\npayoff sum = 0\n\ndisplay\n    line \"shown\" shown\n","files":{},"parameters":{},"roles":["even","odd"],"names":["b","a"],"start_clock_ms":400,"play_clock_ms":300,"allowance_ms":50,"transition_limit":10000,"seed":"b5ee7fe5a03423b767e5286681fe527b","nonce":"6846972f02ac0b79a49bcbdaccfcc071","protocol":1,"total_ms":null,"increment_ms":0,"strikes":0,"hide_times":false}');
INSERT INTO "events" VALUES('8a0174c0e867',1,'{"event":"begun","at_ms":0}');
INSERT INTO "events" VALUES('8a0174c0e867',2,'{"event":"sent","player":0,"message":{"type":"start","match":"8a0174c0e867","number":0,"game":"matching_pennies","rules":"# The smallest game without a pure equilibrium: both show a coin, one wants them alike, the other different.\ngame matching_pennies \"Show a coin: alike wins for one, different for the other\"\n\nplayers even, odd\ntype face = {heads, tails}\n\nstate\n    shown[player]: face or none = none\n\nphase show\n    each p chooses coin in face\n    shown[p] := coin[p]                                    for p in player\n    next end\n\npayoff[p] = if (shown[even] == shown[odd]) == (p == even) then 1 else -1\npayoff sum = 0\n\ndisplay\n    line \"shown\" shown\n","files":{},"parameters":{},"roles":["even","odd"],"role":"even","start_clock_ms":400,"play_clock_ms":300,"allowance_ms":50,"remaining_ms":400,"seed_hash":"0d5204eb955e62a2be40f3c99b46ad8fdbb95293ad40cfe0070a20ef044b2d48","total_ms":null,"increment_ms":0,"strikes":0,"hide_times":false}}');
INSERT INTO "events" VALUES('8a0174c0e867',3,'{"event":"sent","player":1,"message":{"type":"start","match":"8a0174c0e867","number":0,"game":"matching_pennies","rules":"# The smallest game without a pure equilibrium: both show a coin, one wants them alike, the other different.\ngame matching_pennies \"Show a coin: alike wins for one, different for the other\"\n\nplayers even, odd\ntype face = {heads, tails}\n\nstate\n    shown[player]: face or none = none\n\nphase show\n    each p chooses coin in face\n    shown[p] := coin[p]                                    for p in player\n    next end\n\npayoff[p] = if (shown[even] == shown[odd]) == (p == even) then 1 else -1\npayoff sum = 0\n\ndisplay\n    line \"shown\" shown\n","files":{},"parameters":{},"roles":["even","odd"],"role":"odd","start_clock_ms":400,"play_clock_ms":300,"allowance_ms":50,"remaining_ms":400,"seed_hash":"0d5204eb955e62a2be40f3c99b46ad8fdbb95293ad40cfe0070a20ef044b2d48","total_ms":null,"increment_ms":0,"strikes":0,"hide_times":false}}');
INSERT INTO "events" VALUES('8a0174c0e867',4,'{"event":"announced","at_ms":3}');
INSERT INTO "events" VALUES('8a0174c0e867',5,'{"event":"received","at_ms":4,"player":1,"message":{"type":"ready","match":"8a0174c0e867"}}');
INSERT INTO "events" VALUES('8a0174c0e867',6,'{"event":"received","at_ms":8,"player":0,"message":{"type":"ready","match":"8a0174c0e867"}}');
INSERT INTO "events" VALUES('8a0174c0e867',7,'{"event":"sent","player":0,"message":{"type":"act","match":"8a0174c0e867","number":1,"step":0,"legal":["heads","tails"],"remaining_ms":300}}');
INSERT INTO "events" VALUES('8a0174c0e867',8,'{"event":"sent","player":1,"message":{"type":"act","match":"8a0174c0e867","number":1,"step":0,"legal":["heads","tails"],"remaining_ms":300}}');
INSERT INTO "events" VALUES('8a0174c0e867',9,'{"event":"announced","at_ms":35}');
INSERT INTO "events" VALUES('8a0174c0e867',10,'{"event":"received","at_ms":36,"player":1,"message":{"type":"move","match":"8a0174c0e867","step":0,"action":"heads"}}');
INSERT INTO "events" VALUES('8a0174c0e867',11,'{"event":"received","at_ms":40,"player":0,"message":{"type":"move","match":"8a0174c0e867","step":0,"action":"heads"}}');
INSERT INTO "events" VALUES('8a0174c0e867',12,'{"event":"transition","actions":{"even":"heads","odd":"heads"},"outcome":null}');
INSERT INTO "events" VALUES('8a0174c0e867',13,'{"event":"sent","player":0,"message":{"type":"observe","match":"8a0174c0e867","number":2,"action":"heads","replaced":null,"observation":[{"label":"coin","value":{"even":"heads","odd":"heads"}}]}}');
INSERT INTO "events" VALUES('8a0174c0e867',14,'{"event":"sent","player":1,"message":{"type":"observe","match":"8a0174c0e867","number":2,"action":"heads","replaced":null,"observation":[{"label":"coin","value":{"even":"heads","odd":"heads"}}]}}');
INSERT INTO "events" VALUES('8a0174c0e867',15,'{"event":"ended","result":"finished","reason":null,"utilities":[1.0,-1.0],"forfeited":[]}');
INSERT INTO "events" VALUES('8a0174c0e867',16,'{"event":"sent","player":0,"message":{"type":"end","match":"8a0174c0e867","number":3,"result":"finished","reason":null,"utilities":{"even":1.0,"odd":-1.0},"errors":[],"errors_left_out":0,"forfeited":[]}}');
INSERT INTO "events" VALUES('8a0174c0e867',17,'{"event":"sent","player":1,"message":{"type":"end","match":"8a0174c0e867","number":3,"result":"finished","reason":null,"utilities":{"even":1.0,"odd":-1.0},"errors":[],"errors_left_out":0,"forfeited":[]}}');
INSERT INTO "events" VALUES('8a0174c0e867',18,'{"event":"released","at_ms":49}');
INSERT INTO "events" VALUES('8a0174c0e867',19,'{"event":"sent","player":0,"message":{"type":"reveal","match":"8a0174c0e867","number":4,"seed":"b5ee7fe5a03423b767e5286681fe527b","nonce":"6846972f02ac0b79a49bcbdaccfcc071"}}');
INSERT INTO "events" VALUES('8a0174c0e867',20,'{"event":"sent","player":1,"message":{"type":"reveal","match":"8a0174c0e867","number":4,"seed":"b5ee7fe5a03423b767e5286681fe527b","nonce":"6846972f02ac0b79a49bcbdaccfcc071"}}');
INSERT INTO "events" VALUES('9274165abc3c',0,'{"event":"created","match":"9274165abc3c","game":"matching_pennies","rules":"# The smallest game without a pure equilibrium: both show a coin, one wants them alike, the other different.\ngame matching_pennies \"Show a coin: alike wins for one, different for the other\"\n\nplayers even, odd\ntype face = {heads, tails}\n\nstate\n    shown[player]: face or none = none\n\nphase show\n    each p chooses coin in face\n    shown[p] := coin[p]                                    for p in player\n    next end\n\npayoff[p] = if (shown[even] == shown[odd]) == (p == even) then 1 else -1\npayoff sum = 0\n\ndisplay\n    line \"shown\" shown\n","files":{},"parameters":{},"roles":["even","odd"],"names":["a","b"],"start_clock_ms":400,"play_clock_ms":300,"allowance_ms":50,"transition_limit":10000,"seed":"319d1e338f760b459af21336897c67ae","nonce":"c18b1a6d809154fb853f4a17a078761b","protocol":1,"total_ms":null,"increment_ms":0,"strikes":0,"hide_times":false}');
INSERT INTO "events" VALUES('9274165abc3c',1,'{"event":"begun","at_ms":0}');
INSERT INTO "events" VALUES('9274165abc3c',2,'{"event":"sent","player":0,"message":{"type":"start","match":"9274165abc3c","number":0,"game":"matching_pennies","rules":"# The smallest game without a pure equilibrium: both show a coin, one wants them alike, the other different.\ngame matching_pennies \"Show a coin: alike wins for one, different for the other\"\n\nplayers even, odd\ntype face = {heads, tails}\n\nstate\n    shown[player]: face or none = none\n\nphase show\n    each p chooses coin in face\n    shown[p] := coin[p]                                    for p in player\n    next end\n\npayoff[p] = if (shown[even] == shown[odd]) == (p == even) then 1 else -1\npayoff sum = 0\n\ndisplay\n    line \"shown\" shown\n","files":{},"parameters":{},"roles":["even","odd"],"role":"even","start_clock_ms":400,"play_clock_ms":300,"allowance_ms":50,"remaining_ms":400,"seed_hash":"f2e015fd2c9d85fae60ea2994d6dff0d7eca8f5d3bce27d205bc49fc78384e4b","total_ms":null,"increment_ms":0,"strikes":0,"hide_times":false}}');
INSERT INTO "events" VALUES('9274165abc3c',3,'{"event":"sent","player":1,"message":{"type":"start","match":"9274165abc3c","number":0,"game":"matching_pennies","rules":"# The smallest game without a pure equilibrium: both show a coin, one wants them alike, the other different.\ngame matching_pennies \"Show a coin: alike wins for one, different for the other\"\n\nplayers even, odd\ntype face = {heads, tails}\n\nstate\n    shown[player]: face or none = none\n\nphase show\n    each p chooses coin in face\n    shown[p] := coin[p]                                    for p in player\n    next end\n\npayoff[p] = if (shown[even] == shown[odd]) == (p == even) then 1 else -1\npayoff sum = 0\n\ndisplay\n    line \"shown\" shown\n","files":{},"parameters":{},"roles":["even","odd"],"role":"odd","start_clock_ms":400,"play_clock_ms":300,"allowance_ms":50,"remaining_ms":400,"seed_hash":"f2e015fd2c9d85fae60ea2994d6dff0d7eca8f5d3bce27d205bc49fc78384e4b","total_ms":null,"increment_ms":0,"strikes":0,"hide_times":false}}');
INSERT INTO "events" VALUES('9274165abc3c',4,'{"event":"announced","at_ms":1}');
INSERT INTO "events" VALUES('9274165abc3c',5,'{"event":"received","at_ms":5,"player":1,"message":{"type":"ready","match":"9274165abc3c"}}');
INSERT INTO "events" VALUES('9274165abc3c',6,'{"event":"received","at_ms":7,"player":0,"message":{"type":"ready","match":"9274165abc3c"}}');
INSERT INTO "events" VALUES('9274165abc3c',7,'{"event":"sent","player":0,"message":{"type":"act","match":"9274165abc3c","number":1,"step":0,"legal":["heads","tails"],"remaining_ms":300}}');
INSERT INTO "events" VALUES('9274165abc3c',8,'{"event":"sent","player":1,"message":{"type":"act","match":"9274165abc3c","number":1,"step":0,"legal":["heads","tails"],"remaining_ms":300}}');
INSERT INTO "events" VALUES('9274165abc3c',9,'{"event":"announced","at_ms":33}');
INSERT INTO "events" VALUES('9274165abc3c',10,'{"event":"received","at_ms":34,"player":0,"message":{"type":"move","match":"9274165abc3c","step":0,"action":"heads"}}');
INSERT INTO "events" VALUES('9274165abc3c',11,'{"event":"received","at_ms":34,"player":1,"message":{"type":"move","match":"9274165abc3c","step":0,"action":"heads"}}');
INSERT INTO "events" VALUES('9274165abc3c',12,'{"event":"transition","actions":{"even":"heads","odd":"heads"},"outcome":null}');
INSERT INTO "events" VALUES('9274165abc3c',13,'{"event":"sent","player":0,"message":{"type":"observe","match":"9274165abc3c","number":2,"action":"heads","replaced":null,"observation":[{"label":"coin","value":{"even":"heads","odd":"heads"}}]}}');
INSERT INTO "events" VALUES('9274165abc3c',14,'{"event":"sent","player":1,"message":{"type":"observe","match":"9274165abc3c","number":2,"action":"heads","replaced":null,"observation":[{"label":"coin","value":{"even":"heads","odd":"heads"}}]}}');
INSERT INTO "events" VALUES('9274165abc3c',15,'{"event":"ended","result":"finished","reason":null,"utilities":[1.0,-1.0],"forfeited":[]}');
INSERT INTO "events" VALUES('9274165abc3c',16,'{"event":"sent","player":0,"message":{"type":"end","match":"9274165abc3c","number":3,"result":"finished","reason":null,"utilities":{"even":1.0,"odd":-1.0},"errors":[],"errors_left_out":0,"forfeited":[]}}');
INSERT INTO "events" VALUES('9274165abc3c',17,'{"event":"sent","player":1,"message":{"type":"end","match":"9274165abc3c","number":3,"result":"finished","reason":null,"utilities":{"even":1.0,"odd":-1.0},"errors":[],"errors_left_out":0,"forfeited":[]}}');
INSERT INTO "events" VALUES('9274165abc3c',18,'{"event":"released","at_ms":77}');
INSERT INTO "events" VALUES('9274165abc3c',19,'{"event":"sent","player":0,"message":{"type":"reveal","match":"9274165abc3c","number":4,"seed":"319d1e338f760b459af21336897c67ae","nonce":"c18b1a6d809154fb853f4a17a078761b"}}');
INSERT INTO "events" VALUES('9274165abc3c',20,'{"event":"sent","player":1,"message":{"type":"reveal","match":"9274165abc3c","number":4,"seed":"319d1e338f760b459af21336897c67ae","nonce":"c18b1a6d809154fb853f4a17a078761b"}}');
INSERT INTO "events" VALUES('a319c35ae7de',0,'{"event":"created","match":"a319c35ae7de","game":"matching_pennies","rules":"# The smallest game without a pure equilibrium: both show a coin, one wants them alike, the other different.\ngame matching_pennies \"Show a coin: alike wins for one, different for the other\"\n\nplayers even, odd\ntype face = {heads, tails}\n\nstate\n    shown[player]: face or none = none\n\nphase show\n    each p chooses coin in face\n    shown[p] := coin[p]                                    for p in player\n    next end\n\npayoff[p] = if (shown[even] == shown[odd]) == (p == even) then 1 else -1\npayoff sum = 0\n\ndisplay\n    line \"shown\" shown\n","files":{},"parameters":{},"roles":["even","odd"],"names":["a","c"],"start_clock_ms":400,"play_clock_ms":300,"allowance_ms":50,"transition_limit":10000,"seed":"c9f1d750fd149243cab2a4175a35b37d","nonce":"ecd045ea4192e96ce4f1a33cc777f5cf","protocol":1,"total_ms":null,"increment_ms":0,"strikes":0,"hide_times":false}');
INSERT INTO "events" VALUES('a319c35ae7de',1,'{"event":"begun","at_ms":0}');
INSERT INTO "events" VALUES('a319c35ae7de',2,'{"event":"sent","player":0,"message":{"type":"start","match":"a319c35ae7de","number":0,"game":"matching_pennies","rules":"# The smallest game without a pure equilibrium: both show a coin, one wants them alike, the other different.\ngame matching_pennies \"Show a coin: alike wins for one, different for the other\"\n\nplayers even, odd\ntype face = {heads, tails}\n\nstate\n    shown[player]: face or none = none\n\nphase show\n    each p chooses coin in face\n    shown[p] := coin[p]                                    for p in player\n    next end\n\npayoff[p] = if (shown[even] == shown[odd]) == (p == even) then 1 else -1\npayoff sum = 0\n\ndisplay\n    line \"shown\" shown\n","files":{},"parameters":{},"roles":["even","odd"],"role":"even","start_clock_ms":400,"play_clock_ms":300,"allowance_ms":50,"remaining_ms":400,"seed_hash":"16f099674539734a2e1beeacd1116aace10075166530c4d6e1aaec96d65aece2","total_ms":null,"increment_ms":0,"strikes":0,"hide_times":false}}');
INSERT INTO "events" VALUES('a319c35ae7de',3,'{"event":"sent","player":1,"message":{"type":"start","match":"a319c35ae7de","number":0,"game":"matching_pennies","rules":"# The smallest game without a pure equilibrium: both show a coin, one wants them alike, the other different.\ngame matching_pennies \"Show a coin: alike wins for one, different for the other\"\n\nplayers even, odd\ntype face = {heads, tails}\n\nstate\n    shown[player]: face or none = none\n\nphase show\n    each p chooses coin in face\n    shown[p] := coin[p]                                    for p in player\n    next end\n\npayoff[p] = if (shown[even] == shown[odd]) == (p == even) then 1 else -1\npayoff sum = 0\n\ndisplay\n    line \"shown\" shown\n","files":{},"parameters":{},"roles":["even","odd"],"role":"odd","start_clock_ms":400,"play_clock_ms":300,"allowance_ms":50,"remaining_ms":400,"seed_hash":"16f099674539734a2e1beeacd1116aace10075166530c4d6e1aaec96d65aece2","total_ms":null,"increment_ms":0,"strikes":0,"hide_times":false}}');
INSERT INTO "events" VALUES('a319c35ae7de',4,'{"event":"announced","at_ms":6}');
INSERT INTO "events" VALUES('a319c35ae7de',5,'{"event":"received","at_ms":7,"player":0,"message":{"type":"ready","match":"a319c35ae7de"}}');
INSERT INTO "events" VALUES('a319c35ae7de',6,'{"event":"received","at_ms":7,"player":1,"message":{"type":"ready","match":"a319c35ae7de"}}');
INSERT INTO "events" VALUES('a319c35ae7de',7,'{"event":"sent","player":0,"message":{"type":"act","match":"a319c35ae7de","number":1,"step":0,"legal":["heads","tails"],"remaining_ms":300}}');
INSERT INTO "events" VALUES('a319c35ae7de',8,'{"event":"sent","player":1,"message":{"type":"act","match":"a319c35ae7de","number":1,"step":0,"legal":["heads","tails"],"remaining_ms":300}}');
INSERT INTO "events" VALUES('a319c35ae7de',9,'{"event":"announced","at_ms":24}');
INSERT INTO "events" VALUES('a319c35ae7de',10,'{"event":"received","at_ms":25,"player":0,"message":{"type":"move","match":"a319c35ae7de","step":0,"action":"heads"}}');
INSERT INTO "events" VALUES('a319c35ae7de',11,'{"event":"received","at_ms":25,"player":1,"message":{"type":"move","match":"a319c35ae7de","step":0,"action":"tails"}}');
INSERT INTO "events" VALUES('a319c35ae7de',12,'{"event":"transition","actions":{"even":"heads","odd":"tails"},"outcome":null}');
INSERT INTO "events" VALUES('a319c35ae7de',13,'{"event":"sent","player":0,"message":{"type":"observe","match":"a319c35ae7de","number":2,"action":"heads","replaced":null,"observation":[{"label":"coin","value":{"even":"heads","odd":"tails"}}]}}');
INSERT INTO "events" VALUES('a319c35ae7de',14,'{"event":"sent","player":1,"message":{"type":"observe","match":"a319c35ae7de","number":2,"action":"tails","replaced":null,"observation":[{"label":"coin","value":{"even":"heads","odd":"tails"}}]}}');
INSERT INTO "events" VALUES('a319c35ae7de',15,'{"event":"ended","result":"finished","reason":null,"utilities":[-1.0,1.0],"forfeited":[]}');
INSERT INTO "events" VALUES('a319c35ae7de',16,'{"event":"sent","player":0,"message":{"type":"end","match":"a319c35ae7de","number":3,"result":"finished","reason":null,"utilities":{"even":-1.0,"odd":1.0},"errors":[],"errors_left_out":0,"forfeited":[]}}');
INSERT INTO "events" VALUES('a319c35ae7de',17,'{"event":"sent","player":1,"message":{"type":"end","match":"a319c35ae7de","number":3,"result":"finished","reason":null,"utilities":{"even":-1.0,"odd":1.0},"errors":[],"errors_left_out":0,"forfeited":[]}}');
INSERT INTO "events" VALUES('a319c35ae7de',18,'{"event":"released","at_ms":32}');
INSERT INTO "events" VALUES('a319c35ae7de',19,'{"event":"sent","player":0,"message":{"type":"reveal","match":"a319c35ae7de","number":4,"seed":"c9f1d750fd149243cab2a4175a35b37d","nonce":"ecd045ea4192e96ce4f1a33cc777f5cf"}}');
INSERT INTO "events" VALUES('a319c35ae7de',20,'{"event":"sent","player":1,"message":{"type":"reveal","match":"a319c35ae7de","number":4,"seed":"c9f1d750fd149243cab2a4175a35b37d","nonce":"ecd045ea4192e96ce4f1a33cc777f5cf"}}');
INSERT INTO "events" VALUES('c052fe9082a9',0,'{"event":"created","match":"c052fe9082a9","game":"matching_pennies","rules":"# The smallest game without a pure equilibrium: both show a coin, one wants them alike, the other different.\ngame matching_pennies \"Show a coin: alike wins for one, different for the other\"\n\nplayers even, odd\ntype face = {heads, tails}\n\nstate\n    shown[player]: face or none = none\n\nphase show\n    each p chooses coin in face\n    shown[p] := coin[p]                                    for p in player\n    next end\n\npayoff[p] = if (shown[even] == shown[odd]) == (p == even) then 1 else -1\npayoff sum = 0\n\ndisplay\n    line \"shown\" shown\n","files":{},"parameters":{},"roles":["even","odd"],"names":["a","c"],"start_clock_ms":400,"play_clock_ms":300,"allowance_ms":50,"transition_limit":10000,"seed":"acb1176be809a3d26774c7ba2934e10b","nonce":"5bb6606c42aedbf8dfd74cfd6f127181","protocol":1,"total_ms":null,"increment_ms":0,"strikes":0,"hide_times":false}');
INSERT INTO "events" VALUES('c052fe9082a9',1,'{"event":"begun","at_ms":0}');
INSERT INTO "events" VALUES('c052fe9082a9',2,'{"event":"sent","player":0,"message":{"type":"start","match":"c052fe9082a9","number":0,"game":"matching_pennies","rules":"# The smallest game without a pure equilibrium: both show a coin, one wants them alike, the other different.\ngame matching_pennies \"Show a coin: alike wins for one, different for the other\"\n\nplayers even, odd\ntype face = {heads, tails}\n\nstate\n    shown[player]: face or none = none\n\nphase show\n    each p chooses coin in face\n    shown[p] := coin[p]                                    for p in player\n    next end\n\npayoff[p] = if (shown[even] == shown[odd]) == (p == even) then 1 else -1\npayoff sum = 0\n\ndisplay\n    line \"shown\" shown\n","files":{},"parameters":{},"roles":["even","odd"],"role":"even","start_clock_ms":400,"play_clock_ms":300,"allowance_ms":50,"remaining_ms":400,"seed_hash":"839e983b496a476e5b363c6c1f010138eccde27799d073781e47d3271e759ece","total_ms":null,"increment_ms":0,"strikes":0,"hide_times":false}}');
INSERT INTO "events" VALUES('c052fe9082a9',3,'{"event":"sent","player":1,"message":{"type":"start","match":"c052fe9082a9","number":0,"game":"matching_pennies","rules":"# The smallest game without a pure equilibrium: both show a coin, one wants them alike, the other different.\ngame matching_pennies \"Show a coin: alike wins for one, different for the other\"\n\nplayers even, odd\ntype face = {heads, tails}\n\nstate\n    shown[player]: face or none = none\n\nphase show\n    each p chooses coin in face\n    shown[p] := coin[p]                                    for p in player\n    next end\n\npayoff[p] = if (shown[even] == shown[odd]) == (p == even) then 1 else -1\npayoff sum = 0\n\ndisplay\n    line \"shown\" shown\n","files":{},"parameters":{},"roles":["even","odd"],"role":"odd","start_clock_ms":400,"play_clock_ms":300,"allowance_ms":50,"remaining_ms":400,"seed_hash":"839e983b496a476e5b363c6c1f010138eccde27799d073781e47d3271e759ece","total_ms":null,"increment_ms":0,"strikes":0,"hide_times":false}}');
INSERT INTO "events" VALUES('c052fe9082a9',4,'{"event":"announced","at_ms":0}');
INSERT INTO "events" VALUES('c052fe9082a9',5,'{"event":"received","at_ms":17,"player":0,"message":{"type":"ready","match":"c052fe9082a9"}}');
INSERT INTO "events" VALUES('c052fe9082a9',6,'{"event":"received","at_ms":17,"player":1,"message":{"type":"ready","match":"c052fe9082a9"}}');
INSERT INTO "events" VALUES('c052fe9082a9',7,'{"event":"sent","player":0,"message":{"type":"act","match":"c052fe9082a9","number":1,"step":0,"legal":["heads","tails"],"remaining_ms":300}}');
INSERT INTO "events" VALUES('c052fe9082a9',8,'{"event":"sent","player":1,"message":{"type":"act","match":"c052fe9082a9","number":1,"step":0,"legal":["heads","tails"],"remaining_ms":300}}');
INSERT INTO "events" VALUES('c052fe9082a9',9,'{"event":"announced","at_ms":22}');
INSERT INTO "events" VALUES('c052fe9082a9',10,'{"event":"received","at_ms":25,"player":0,"message":{"type":"move","match":"c052fe9082a9","step":0,"action":"tails"}}');
INSERT INTO "events" VALUES('c052fe9082a9',11,'{"event":"received","at_ms":25,"player":1,"message":{"type":"move","match":"c052fe9082a9","step":0,"action":"tails"}}');
INSERT INTO "events" VALUES('c052fe9082a9',12,'{"event":"transition","actions":{"even":"tails","odd":"tails"},"outcome":null}');
INSERT INTO "events" VALUES('c052fe9082a9',13,'{"event":"sent","player":0,"message":{"type":"observe","match":"c052fe9082a9","number":2,"action":"tails","replaced":null,"observation":[{"label":"coin","value":{"even":"tails","odd":"tails"}}]}}');
INSERT INTO "events" VALUES('c052fe9082a9',14,'{"event":"sent","player":1,"message":{"type":"observe","match":"c052fe9082a9","number":2,"action":"tails","replaced":null,"observation":[{"label":"coin","value":{"even":"tails","odd":"tails"}}]}}');
INSERT INTO "events" VALUES('c052fe9082a9',15,'{"event":"ended","result":"finished","reason":null,"utilities":[1.0,-1.0],"forfeited":[]}');
INSERT INTO "events" VALUES('c052fe9082a9',16,'{"event":"sent","player":0,"message":{"type":"end","match":"c052fe9082a9","number":3,"result":"finished","reason":null,"utilities":{"even":1.0,"odd":-1.0},"errors":[],"errors_left_out":0,"forfeited":[]}}');
INSERT INTO "events" VALUES('c052fe9082a9',17,'{"event":"sent","player":1,"message":{"type":"end","match":"c052fe9082a9","number":3,"result":"finished","reason":null,"utilities":{"even":1.0,"odd":-1.0},"errors":[],"errors_left_out":0,"forfeited":[]}}');
INSERT INTO "events" VALUES('c052fe9082a9',18,'{"event":"released","at_ms":48}');
INSERT INTO "events" VALUES('c052fe9082a9',19,'{"event":"sent","player":0,"message":{"type":"reveal","match":"c052fe9082a9","number":4,"seed":"acb1176be809a3d26774c7ba2934e10b","nonce":"5bb6606c42aedbf8dfd74cfd6f127181"}}');
INSERT INTO "events" VALUES('c052fe9082a9',20,'{"event":"sent","player":1,"message":{"type":"reveal","match":"c052fe9082a9","number":4,"seed":"acb1176be809a3d26774c7ba2934e10b","nonce":"5bb6606c42aedbf8dfd74cfd6f127181"}}');
CREATE TABLE invitations (
    token_hash text primary key,
    competition text not null references competitions (id),
    note text not null,
    player integer references players (id),
    created_at text not null
) without rowid;
INSERT INTO "invitations" VALUES('2e31cf36ef8a818b12906d22ab7dbb4d84af34a41d24b28b09e9057094c68b79','606331169f10','for d',NULL,'2026-11-23T13:01:02.246+00:00');
CREATE TABLE matches (
    id text primary key,
    competition text references competitions (id),
    meeting integer,
    leg integer,
    purpose text not null check (purpose in ('single', 'ranked', 'qualifying')),
    chance_group text not null,
    game text not null,
    parameters text not null,
    state text not null check (state in ('running', 'finished', 'aborted', 'forfeited')),
    reason text,
    released integer not null default 0,
    pruned integer not null default 0,
    created_at text not null,
    ended_at text
);
INSERT INTO "matches" VALUES('84f48ecb4484','e57e41590441',0,0,'ranked','e57e41590441-0-0-0-0','matching_pennies','{}','finished',NULL,1,0,'2026-11-23T13:01:02.035+00:00','2026-11-23T13:01:02.046+00:00');
INSERT INTO "matches" VALUES('5f6cf5fe69c5','e57e41590441',0,1,'ranked','e57e41590441-0-0-0-1','matching_pennies','{}','finished',NULL,1,0,'2026-11-23T13:01:02.054+00:00','2026-11-23T13:01:02.087+00:00');
INSERT INTO "matches" VALUES('c052fe9082a9','e57e41590441',2,0,'ranked','e57e41590441-2-0-0-0','matching_pennies','{}','finished',NULL,1,0,'2026-11-23T13:01:02.090+00:00','2026-11-23T13:01:02.119+00:00');
INSERT INTO "matches" VALUES('574e7c5e9ffc','e57e41590441',2,1,'ranked','e57e41590441-2-0-0-1','matching_pennies','{}','finished',NULL,1,0,'2026-11-23T13:01:02.156+00:00','2026-11-23T13:01:02.194+00:00');
INSERT INTO "matches" VALUES('9274165abc3c','1334801765da',0,0,'ranked','1334801765da-0-0-0-0','matching_pennies','{}','finished',NULL,1,0,'2026-11-23T13:01:02.312+00:00','2026-11-23T13:01:02.385+00:00');
INSERT INTO "matches" VALUES('8a0174c0e867','1334801765da',0,1,'ranked','1334801765da-0-0-0-1','matching_pennies','{}','finished',NULL,1,0,'2026-11-23T13:01:02.420+00:00','2026-11-23T13:01:02.482+00:00');
INSERT INTO "matches" VALUES('6c09e39ee9dd','1334801765da',1,0,'ranked','1334801765da-1-0-0-0','matching_pennies','{}','finished',NULL,1,0,'2026-11-23T13:01:02.512+00:00','2026-11-23T13:01:02.582+00:00');
INSERT INTO "matches" VALUES('a319c35ae7de','1334801765da',1,1,'ranked','1334801765da-1-0-0-1','matching_pennies','{}','finished',NULL,1,0,'2026-11-23T13:01:02.613+00:00','2026-11-23T13:01:02.654+00:00');
CREATE TABLE meetings (
    competition text not null references competitions (id),
    number integer not null,
    round integer not null,
    players text not null,
    kind text not null check (kind in ('play', 'bye')),
    stage text not null,
    slot integer not null,
    primary key (competition, number)
) without rowid;
INSERT INTO "meetings" VALUES('1334801765da',0,0,'[1,2]','play','',0);
INSERT INTO "meetings" VALUES('1334801765da',1,1,'[3,1]','play','',0);
INSERT INTO "meetings" VALUES('e57e41590441',0,0,'[1,2]','play','',0);
INSERT INTO "meetings" VALUES('e57e41590441',1,0,'[3]','bye','',0);
INSERT INTO "meetings" VALUES('e57e41590441',2,1,'[1,3]','play','',0);
INSERT INTO "meetings" VALUES('e57e41590441',3,1,'[2]','bye','',0);
CREATE TABLE players (
    id integer primary key,
    name text not null,
    token_hash text not null unique,
    created_at text not null
);
INSERT INTO "players" VALUES(1,'a','e6fe0c2ec73a09f1c85a8a19e791aca6085f9f1133bc6f079f847a8adc36614c','2026-11-23T13:01:01.758+00:00');
INSERT INTO "players" VALUES(2,'b','12699927e56386ca2c74826f9ca0361df421c397bc74f02ab30c725187d6988b','2026-11-23T13:01:01.758+00:00');
INSERT INTO "players" VALUES(3,'c','00bb8677abd62a9a1cdbc622290d65f9346e83bc057c2c81691f869353100b4b','2026-11-23T13:01:01.758+00:00');
CREATE TABLE seats (
    match text not null references matches (id),
    seat integer not null,
    role text not null,
    player integer not null references players (id),
    utility real,
    forfeited integer not null default 0,
    primary key (match, seat)
) without rowid;
INSERT INTO "seats" VALUES('574e7c5e9ffc',0,'even',3,-1.0,0);
INSERT INTO "seats" VALUES('574e7c5e9ffc',1,'odd',1,1.0,0);
INSERT INTO "seats" VALUES('5f6cf5fe69c5',0,'even',2,-1.0,0);
INSERT INTO "seats" VALUES('5f6cf5fe69c5',1,'odd',1,1.0,0);
INSERT INTO "seats" VALUES('6c09e39ee9dd',0,'even',3,-1.0,0);
INSERT INTO "seats" VALUES('6c09e39ee9dd',1,'odd',1,1.0,0);
INSERT INTO "seats" VALUES('84f48ecb4484',0,'even',1,1.0,0);
INSERT INTO "seats" VALUES('84f48ecb4484',1,'odd',2,-1.0,0);
INSERT INTO "seats" VALUES('8a0174c0e867',0,'even',2,1.0,0);
INSERT INTO "seats" VALUES('8a0174c0e867',1,'odd',1,-1.0,0);
INSERT INTO "seats" VALUES('9274165abc3c',0,'even',1,1.0,0);
INSERT INTO "seats" VALUES('9274165abc3c',1,'odd',2,-1.0,0);
INSERT INTO "seats" VALUES('a319c35ae7de',0,'even',1,-1.0,0);
INSERT INTO "seats" VALUES('a319c35ae7de',1,'odd',3,1.0,0);
INSERT INTO "seats" VALUES('c052fe9082a9',0,'even',1,1.0,0);
INSERT INTO "seats" VALUES('c052fe9082a9',1,'odd',3,-1.0,0);
CREATE UNIQUE INDEX match_of_meeting on matches (competition, meeting, leg) where meeting is not null;
CREATE INDEX match_of_competition on matches (competition);
CREATE INDEX match_by_state on matches (state);
CREATE INDEX match_by_group on matches (chance_group);
CREATE INDEX seat_of_player on seats (player);
CREATE INDEX error_by_match on errors (match);
COMMIT;
PRAGMA user_version = 2;
PRAGMA application_id = 1734832177;
