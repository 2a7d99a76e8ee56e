-- Leads from the complete second history of the schema, 20261118000100 to 20261130006100 (second_history), to the files of
-- supabase/migrations up to 20261201004100, which describe the same schema with each thing defined once: decision 071.
--
-- The server runs it by itself, after what a database lacks of that history. In a Supabase project it is run by hand, once;
-- README.md says how.

comment on column public.companies.search_text is 'What searches look through, folded. Its parts: private.search_parts.';
comment on column public.contacts.search_text is 'What searches look through, folded. Its parts: private.search_parts.';
comment on column public.deals.search_text is 'What searches look through, folded. Its parts: private.search_parts.';
comment on column public.tasks.search_text is 'What searches look through, folded. Its parts: private.search_parts.';
comment on column public.files.search_text is 'What searches look through, folded. Its parts: private.search_parts.';
comment on column public.mails.search_text is 'What searches look through, folded. Its parts: private.search_parts.';

alter table private.import_people add column role text;
comment on column private.import_people.role is 'What the contact is to the deal; the main one is here, too, where the row says it.';

update private.import_rules set changed = 'private.imported_custom(o.user_id, o.custom, v.custom)' where name = 'custom';
insert into private.import_rules (kind, name, changed) values
  ('companies', 'location', 'case when private.holds(o.location, v.location) then o.location else coalesce(v.location, o.location) end');
