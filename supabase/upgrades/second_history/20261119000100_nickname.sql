-- What a contact is called by those who know them: shown, searched, imported, merged and exported like their names.

alter table public.contacts add column nickname text
  constraint contacts_nickname_length check (char_length(nickname) <= 200);

select
  private.add_field('public.contacts', 'nickname'),
  private.make_searchable('public.contacts',
    array['first_name', 'last_name', 'nickname', 'email', $$regexp_replace(phone_number, '[^0-9]', '', 'g')$$]);
