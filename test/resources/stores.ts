import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SluiceError } from '../../src/base/index.ts'
import { createMemoryDocumentStore, type Actor, type DocumentStore } from '../../src/resources/index.ts'
import { openDataFolder, type DataFolderOptions } from '../../src/server/index.ts'

export const actor: Actor = { backend: 'default', by: 'test', email: undefined }

/** Returns a clock that advances by one at each call. */
export function ticking(): () => bigint {
  let now = 1_767_225_600_000_000_000n
  return () => now++
}

/** Calls `work` with a temporary folder and removes the folder afterwards. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-resources-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Opens the documents of a data folder. `close` closes the whole folder. */
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

/** The kinds of document store by name; each function opens an empty store. */
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

/** Returns how often the log was rewritten, as its header states. */
export function generationOf(folder: string): number {
  return readFileSync(join(folder, 'resources.log')).readUInt32LE(28)
}
