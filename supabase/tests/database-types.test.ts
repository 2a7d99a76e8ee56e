import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { databaseTypes, typesFile } from '../../scripts/database-types.ts'
import { onEachDatabase } from './harness.ts'

onEachDatabase((database) => {
  test('src/lib/database.types.ts is what the migrations make (npm run types:database)', async () => {
    const fresh = await databaseTypes(database().connection.kysely)
    expect(await readFile(typesFile, 'utf8')).toBe(fresh)
  })
})
