/**
 * The migrations that the schema had before its files were rewritten by concept, twice, and the upgrades from them to the
 * files of `supabase/migrations` up to `foldedUpTo`: decisions 031 and 071.
 */

/** A database with this history is upgraded to the beginning of the second one first. Only the tests need its files. */
export const firstHistory = {
  /** All of its migrations, oldest first. */
  versions: [
    '20261115000100',
    '20261115000200',
    '20261115000300',
    '20261115000400',
    '20261115000500',
    '20261115000600',
    '20261115000700',
    '20261115000800',
    '20261115000900',
    '20261115001000',
    '20261115001100',
    '20261115001200',
    '20261115001300',
    '20261115001400',
    '20261115001500',
    '20261115001600',
    '20261115001700',
    '20261115001800',
    '20261115001900',
    '20261115002000',
    '20261115002100',
    '20261115002200',
    '20261115002300',
    '20261115002400',
    '20261115002500',
    '20261115002600',
    '20261115002700',
    '20261116000100',
    '20261116000200',
    '20261116000300',
    '20261116000400',
    '20261116000500',
    '20261116000600',
    '20261116000700',
    '20261117000100',
    '20261117000200',
    '20261117000300',
  ],
  /** The file of `supabase/upgrades` that leads from all of them to the migrations of the second history up to `upTo`. */
  upgrade: '20261118000000_from_the_first_history.sql',
  upTo: '20261118001500',
}

/** A database with a part of this history first gets the migrations of it that are missing. */
export const secondHistory = {
  /** Its migrations are the files of this folder of `supabase/upgrades`. */
  folder: 'second_history',
  /** The file of `supabase/upgrades` that leads from all of them to the migrations up to `foldedUpTo`. */
  upgrade: '20261201000000_from_the_second_history.sql',
}

/** The last of the migrations that replace both histories. */
export const foldedUpTo = '20261201004100'

/** The fingerprint of a new database with the migrations up to `foldedUpTo`; an upgraded one must have the same. */
export const foldedFingerprint = '7b3b601edf99146de9698bf464532a21'

/** The last migration of the whole first history: from here, and from nowhere before, an update can begin. */
export const lastOfFirstHistory = firstHistory.versions.at(-1) ?? ''

/** Whether these are the migrations of the whole first history and no others. */
export function isFirstHistory(applied: string[]): boolean {
  return applied.join() === firstHistory.versions.join()
}
