import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SluiceError } from '../../src/base/index.ts'
import { createMemoryDocumentStore, type Actor, type DocumentStore } from '../../src/resources/index.ts'
import { openDataFolder, type DataFolderOptions } from '../../src/server/index.ts'

export const actor: Actor = { backend: 'default', by: 'test', email: undefined }

/** A clock that advances at each call. */
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

/** The documents of a data folder; `close` closes all of it. */
export async function openStore(
  folder: string,
  nowNs = ticking(),
  options: DataFolderOptions = {},
): Promise<DocumentStore> {
  const { documents, close } = await openDataFolder(folder, nowNs, options)
  return {
    read: (backend, work) => documents.read(backend, work),
    backendsWith: (kind, id) => documents.backendsWith(kind, id),
    write: (who, work) => documents.write(who, work),
    epoch: () => documents.epoch(),
    close,
  }
}

/** Both kinds of store, each empty. */
export const stores: readonly (readonly [string, (folder: string) => Promise<DocumentStore>])[] = [
  ['in memory', () => Promise.resolve(createMemoryDocumentStore(ticking()))],
  ['in a folder', (folder) => openStore(folder)],
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

/** Number of times that the log was rewritten, from its header. */
export function generationOf(folder: string): number {
  return readFileSync(join(folder, 'resources.log')).readUInt32LE(28)
}
