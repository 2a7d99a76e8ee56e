-- "Email" has one spelling in everything that users read (`scripts/spelling.test.ts`). Three sentences of functions that
-- earlier files define had another one; only these words of their bodies change.

do $$
declare
  function_id regprocedure;
begin
  for function_id in
    select p.oid
    from pg_proc p
    where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace)
      and p.prosrc ~ 'The same e-mail stands|has this e-mail already|must be an e-mail address'
  loop
    execute regexp_replace(
      pg_get_functiondef(function_id),
      '(The same|has this|must be an) e-mail (stands|already|address)', '\1 email \2', 'g'
    );
  end loop;
end
$$;
