-- Letters that wait for the mail server are jobs like all other work that waits. Those that wait now are taken along.
insert into private.jobs (kind, key, user_id, payload, due_at, tries)
select 'letter', l.user_id || ' ' || l.kind, l.user_id,
  jsonb_build_object('message', l.message, 'expires_at', floor(extract(epoch from l.expires_at) * 1000)), l.next_try_at, l.tries
from private.letters l where l.expires_at > now();
drop table private.letters;
