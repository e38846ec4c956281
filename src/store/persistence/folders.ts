import { join } from 'node:path'
import { SluiceError, nowhere } from '../../base/index.ts'
import {
  durableDiagnostic,
  isFileName,
  makeFolder,
  type Files,
  type ManifestState,
  type TableEntry,
} from '../durable/index.ts'

/** Name of the folder for parts, sample files and dictionaries. */
export const SEGMENTS = 'segments'

/**
 * Returns the folder name for a backend id. Names differ even on file systems that ignore case, and are never `.` or
 * `..`.
 */
export function folderName(backend: string): string {
  return encodeURIComponent(backend).replaceAll(/[A-Z.*]|%[0-9A-F]{2}/g, (found) =>
    found.startsWith('%') ? found.toLowerCase() : `%${found.charCodeAt(0).toString(16)}`,
  )
}

/** Returns the folder of a backend's files. */
export function backendFolder(folder: string, backend: string): string {
  return join(folder, SEGMENTS, folderName(backend))
}

export function partFile(table: string, number: number): string {
  return `${table}-${number}.part`
}

export function dictionariesFile(table: string, number: number): string {
  return `${table}-${number}.dictionaries`
}

export function samplesFile(number: number): string {
  return `samples-${number}.samples`
}

/** Returns the files in a backend's folder that have a name of Sluice's pattern but are not in the manifest. */
function straysIn(files: Files, path: string, named: ReadonlySet<string>): readonly string[] {
  return files.list(path).filter((name) => isFileName(name) && !named.has(name))
}

/** Returns the names of all files of a table according to the manifest. */
export function fileNamesOf({ parts, dictionaries }: TableEntry): readonly string[] {
  return [...parts, dictionaries].flatMap((file) => (file === undefined ? [] : [file.name]))
}

function namesOf({ tables }: ManifestState, isWanted: (backend: string) => boolean): ReadonlySet<string> {
  const wanted = [...tables.values()].filter(({ backend }) => isWanted(backend))
  return new Set(wanted.flatMap(fileNamesOf))
}

/** Removes the files that a crash left, which are the files that the manifest does not name. */
export function removeStrays(files: Files, folder: string, state: ManifestState, backends: ReadonlySet<string>): void {
  for (const backend of backends) {
    const path = backendFolder(folder, backend)
    const named = namesOf(state, (each) => each === backend)
    for (const name of straysIn(files, path, named)) files.remove(join(path, name))
  }
}

/** Returns an unused path for a folder of files that are set aside. */
export function asideFolder(files: Files, folder: string): string {
  let number = 1
  while (files.exists(join(folder, `${SEGMENTS}-aside-${number}`))) number++
  return join(folder, `${SEGMENTS}-aside-${number}`)
}

/**
 * Moves the files that the manifest does not name to a separate folder, which no start cleans up: if the manifest was
 * damaged, these files may have the only copy of their rows. Returns the folder and the number of files; `undefined` if
 * there are none.
 */
export function setStraysAside(
  files: Files,
  folder: string,
  state: ManifestState,
): { readonly path: string; readonly count: number } | undefined {
  const all = join(folder, SEGMENTS)
  const strays = files.list(all).flatMap((backend) => {
    const named = namesOf(state, (each) => folderName(each) === backend)
    return straysIn(files, join(all, backend), named).map((name) => ({ backend, name }))
  })
  if (strays.length === 0) return undefined
  const path = asideFolder(files, folder)
  for (const { backend, name } of strays) {
    makeFolder(files, join(path, backend))
    files.rename(join(all, backend, name), join(path, backend, name))
  }
  return { path, count: strays.length }
}

/** Throws SluiceError `durable/unknown-backend` if the manifest has parts of a backend that is not in `backends`. */
export function checkBackends({ tables }: ManifestState, backends: ReadonlySet<string>): void {
  for (const { backend, parts } of tables.values())
    if (parts.length > 0 && !backends.has(backend))
      throw new SluiceError([durableDiagnostic('unknown-backend', { backend }, nowhere)])
}
