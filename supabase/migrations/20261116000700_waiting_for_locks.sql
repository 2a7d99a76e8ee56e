-- A request waits ten seconds for a lock and is then refused. What takes minutes is also waited for that
-- long: whoever lost the connection and asks for the same once more must find it done.
alter function public.check_import(uuid) set lock_timeout = '120s';
alter function public.commit_import(uuid, text) set lock_timeout = '300s';
alter function public.restore_deleted(uuid, uuid[]) set lock_timeout = '300s';
alter function public.remove_for_good(jsonb) set lock_timeout = '300s';
alter function public.finish_restore(uuid) set lock_timeout = '600s';
