import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SluiceError } from '../../src/base/index.ts'
import {
  createMemoryDocumentStore,
  openSqliteDocumentStore,
  type Actor,
  type DocumentStore,
} from '../../src/resources/index.ts'

export const actor: Actor = { backend: 'default', by: 'test', email: undefined }

/** A clock that never stands still. */
export function ticking(): () => bigint {
  let now = 1_767_225_600_000_000_000n
  return () => now++
}

/** A folder that is gone after `work`. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-resources-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Both kinds of store, each empty. */
export const stores: readonly (readonly [string, (folder: string) => Promise<DocumentStore>])[] = [
  ['in memory', () => Promise.resolve(createMemoryDocumentStore(ticking()))],
  ['in SQLite', (folder) => openSqliteDocumentStore(join(folder, 'resources.db'), ticking())],
]

export async function codeOf(work: () => unknown): Promise<string> {
  try {
    await work()
  } catch (error) {
    if (error instanceof SluiceError) return error.code
    throw error
  }
  return 'none'
}
