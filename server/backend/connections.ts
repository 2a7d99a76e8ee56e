import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { unaccent } from '@electric-sql/pglite/contrib/unaccent'
import type { ConnectionContextOptions, VarsContext } from '@supabase/lite'
import { PgliteConnection } from '@supabase/lite/pglite'
import { PostgresConnection } from '@supabase/lite/postgres'
import { Kysely } from 'kysely'
import { exclusiveDialect, exclusively } from './exclusive-dialect.ts'
import { translateDatabaseError } from './public-error.ts'
import { type AnyDatabase, runAsRequest } from './request-context.ts'

const numeric = 1700
const timestamptz = 1184

/** `2026-11-15 00:18:26.2+00` as hosted Supabase sends it: `2026-11-15T00:18:26.2+00:00`. */
export function isoTimestamp(value: string): string {
  return value.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')
}

/** The embedded database in a folder of its own. */
export class EmbeddedConnection extends PgliteConnection {
  constructor(folder: string) {
    super({
      url: folder,
      pgliteOptions: {
        extensions: { btree_gin, pg_trgm, unaccent },
        parsers: { [numeric]: Number, [timestamptz]: isoTimestamp },
      },
    })
    this.kysely = new Kysely({ dialect: exclusiveDialect(this.driver) })
  }

  override withContext<T>(
    vars: VarsContext | undefined,
    work: (db: AnyDatabase) => Promise<T>,
    options?: ConnectionContextOptions,
  ): Promise<T> {
    return exclusively(() => runAsRequest(this.kysely, vars, work, options))
  }

  override runInTransaction<T>(work: (db: AnyDatabase) => Promise<T>): Promise<T> {
    return exclusively(() => super.runInTransaction(work))
  }

  override normalizeDbError(error: unknown): unknown {
    return translateDatabaseError(error)
  }
}

/** A PostgreSQL server. */
export class ServerConnection extends PostgresConnection {
  constructor(url: string) {
    super({
      url,
      postgresOptions: {
        max: 10,
        connect_timeout: 10,
        onnotice: () => {},
        types: {
          numeric: { to: numeric, from: [numeric], serialize: String, parse: Number },
          timestamptz: {
            to: timestamptz,
            from: [timestamptz],
            serialize: String,
            parse: isoTimestamp,
          },
        },
      },
    })
  }

  override withContext<T>(
    vars: VarsContext | undefined,
    work: (db: AnyDatabase) => Promise<T>,
    options?: ConnectionContextOptions,
  ): Promise<T> {
    return runAsRequest(this.kysely, vars, work, options)
  }

  override normalizeDbError(error: unknown): unknown {
    return translateDatabaseError(error)
  }
}
