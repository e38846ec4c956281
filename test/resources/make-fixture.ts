import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { openSqliteDocumentStore } from '../../src/resources/index.ts'
import { openSqlite } from '../../src/store/sqlite/index.ts'
import { actor, ticking } from './stores.ts'

/**
 * Writes `fixtures/v<version>.db` as the current release does. To be run once per version of the file, when it is new;
 * the files of earlier versions stay as they are.
 */
const version = process.argv[2]
const path = fileURLToPath(new URL(`fixtures/v${version}.db`, import.meta.url))
rmSync(path, { force: true })
const store = await openSqliteDocumentStore(path, ticking())
await store.write(actor, (tx) => tx.put('monitor', 'm', { title: 'Kept', labels: { a: 'b' } }, 'Kept'))
await store.write({ ...actor, backend: 'other' }, (tx) => tx.put('policy', 'p', { role: { read: '' } }, 'P'))
await store.close()
if (version === '1') {
  // Version 1 had no index on names.
  const connection = await openSqlite(path)
  connection.exec('DROP INDEX documents_by_name')
  connection.pragma('user_version = 1')
  connection.exec('VACUUM')
  connection.close()
}
