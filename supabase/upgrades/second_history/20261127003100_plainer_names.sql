-- Names that say what they are about.

alter function public.told_apart(text) rename to not_duplicate_pairs;
comment on function public.not_duplicate_pairs is 'The newest two hundred pairs that the user marked as not duplicates.';
