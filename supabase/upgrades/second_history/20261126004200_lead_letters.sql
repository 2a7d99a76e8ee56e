-- A mail tells of a new lead. As with the others, a newer one takes the place of one that still waits for the mail server:
-- the list of new leads in the app has them all.
alter table private.letters drop constraint letters_kind_known;
alter table private.letters add constraint letters_kind_known
  check (kind in ('signup', 'recovery', 'magiclink', 'email_change', 'reauthentication', 'lead'));
