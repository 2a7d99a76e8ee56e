-- Rows of deals may name one contact or company with and without accents. The import takes both spellings for one record. The dry
-- run did not where the rows were on two pages, and said of the later row that it fills what the earlier one fills. Decision 035.

create or replace function private.behind_keys(kind text, reported jsonb) returns setof text
language sql immutable -- no search path of its own, see contact_card
as $$
  select lower(reported ->> 'contact_email') where kind = 'contacts'
  union all
  -- Of plain letters alone "fold" says the same, and takes ten times as long.
  select case
    when octet_length(v.name) = char_length(v.name) and strpos(v.name, '  ') = 0 then lower(v.name) else private.fold(v.name)
  end
  from (values (case kind
    when 'contacts' then concat_ws(' ', reported ->> 'contact_first_name', reported ->> 'contact_last_name')
    when 'companies' then reported ->> 'company'
  end)) v (name)
$$;
comment on function private.behind_keys is 'By what rows of deals may name the same contact or company.';
