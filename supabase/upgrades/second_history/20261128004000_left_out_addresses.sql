-- What can be left out of the mails: decided here alone, in words that the screen shows.

create or replace function private.tidy_mail_exclusion() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  -- As people type a domain: "@acme.com", "ACME.com".
  new.value := lower(ltrim(private.blank_to_null(new.value), '@'));
  -- A word without a dot would be taken for a domain that leaves out nobody. What a backup brings back was accepted before.
  if current_user = 'authenticated' and new.contact is null
    and coalesce(new.value !~ '^([^\s@]+@)?[^\s@.]+(\.[^\s@.]+)+$', true) then
    raise exception 'Enter an address or a domain, such as acme.com. Nothing was saved.' using errcode = 'PT400';
  end if;
  return new;
end
$$;
