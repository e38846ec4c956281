import { SluiceError } from '../../../base/index.ts'
import { SourceError } from '../../source-error.ts'
import { ruleFailure } from '../diagnostics.ts'
import type { GroupDefinition } from '../rule.ts'
import { readRules } from './read-rules.ts'

/** A rule file: its name, which identifies its groups, and its text. */
export interface RuleFile {
  readonly name: string
  readonly text: string
}

/** A group with the name of its file. */
export interface FileGroup {
  readonly file: string
  readonly definition: GroupDefinition
}

/**
 * Parses rule files in order. Throws SourceError with all errors of the first invalid file, and SluiceError
 * `rules/duplicate-file` for two files with one name.
 */
export function readRuleFiles(files: readonly RuleFile[]): readonly FileGroup[] {
  const names = new Set<string>()
  return files.flatMap(({ name, text }) => {
    if (names.has(name)) throw ruleFailure('duplicate-file', { name })
    names.add(name)
    try {
      return readRules(text).map((definition) => ({ file: name, definition }))
    } catch (error) {
      throw error instanceof SluiceError ? new SourceError(name, text, error) : error
    }
  })
}
