import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MalformedVectors, messageOf } from './outcome.ts'

/** The cases of one file of vectors, and the other members of the file. */
export interface CaseFile<C> {
  readonly cases: readonly C[]
  readonly others: Readonly<Record<string, unknown>>
}

/** Reads a file of alert vectors. Returns `undefined` if the directory has no such file. Throws MalformedVectors. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function readCases<C>(directory: string, file: string): CaseFile<C> | undefined {
  const path = join(directory, file)
  if (!existsSync(path)) return undefined
  try {
    const { cases, ...others } = JSON.parse(readFileSync(path, 'utf8')) as { cases: readonly C[] }
    if (!Array.isArray(cases)) throw new MalformedVectors('has no list named "cases"')
    return { cases, others }
  } catch (error) {
    throw error instanceof MalformedVectors ? error : new MalformedVectors(`not JSON: ${messageOf(error)}`)
  }
}
