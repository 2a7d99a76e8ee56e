-- What a function says to users is in the words of CONTRIBUTING.md: "no longer exists", "already exists". Functions of earlier
-- files had older ones; only these words of their bodies change.

do $$
declare
  words constant text[] := array[
    ['The stage that deals shall go to does not exist any more', 'The stage to move the deals to no longer exists'],
    ['does not exist any more', 'no longer exists'],
    ['is not in the trash any more', 'is no longer in the trash'],
    ['This restore is not under way any more. Start again.', 'This restore has stopped. Start again.'],
    ['There is no sample data any more.', 'The sample data is already gone.'],
    ['The sample data is there already.', 'The sample data is already loaded.'],
    ['has no such option any more', 'no longer has this option'],
    ['No record has this tag any more.', 'This tag is no longer on any record.'],
    ['This would change nothing any more.', 'This would no longer change anything.'],
    ['All of this is there already.', 'All of this already exists.'],
    [' is there already', ' already exists'],
    ['that are there already', 'that already exist'],
    ['has this email already', 'already has this email'],
    ['The same email stands in row', 'The same email is in row']
  ];
  written text;
  pair text[];
  each record;
begin
  for each in
    select pg_get_functiondef(p.oid) as source
    from pg_proc p
    where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace) and p.prokind = 'f'
      and p.prosrc ~ 'any more|(is|are) there already|has this email already|same email stands'
  loop
    written := each.source;
    foreach pair slice 1 in array words loop
      written := replace(written, pair[1], pair[2]);
    end loop;
    if written <> each.source then
      execute written;
    end if;
  end loop;
end
$$;
