import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Ways to run a text as code. Regular expressions run no code; those built from a user's pattern are listed separately.
 */
const RUNS_TEXT: readonly RegExp[] = [
  /\bnew Function\b/,
  /(?<![.\w])Function\(/,
  /(?<![.\w])eval\(/,
  /\bnode:vm\b|\bfrom 'vm'/,
  /\bset(?:Timeout|Interval)\(\s*['"`]/,
  /\bawait import\(\s*(?!['"])/,
  /(?<![.\w#])import\((?!['"]|\w+: )/,
  /\bnode:repl\b/,
]

/** The assembler of the columnar kernels, which takes only numbers. */
const MAKES_MACHINE_CODE = /\bnew (?:\w+\.)?Module\(/

const MAKES_PATTERN = /\bRegExp\(/

export interface CodeFinding {
  /** Relative to the source folder. */
  readonly file: string
  readonly line: string
}

function sourceFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
}

function findings(folder: string, isFound: (line: string) => boolean): readonly CodeFinding[] {
  return sourceFiles(folder).flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => !/^\s*(?:\/\/|\*|\/\*)/.test(line) && isFound(line))
      .map((line) => ({ file: path.slice(folder.length + 1), line: line.trim() })),
  )
}

/** Lines that could run a text as code. */
export function runsTextAsCode(folder: string): readonly CodeFinding[] {
  return findings(folder, (line) => RUNS_TEXT.some((pattern) => pattern.test(line)))
}

/** Lines that make a regular expression of the platform from a text. */
export function makesPatterns(folder: string): readonly CodeFinding[] {
  return findings(folder, (line) => MAKES_PATTERN.test(line))
}

/** Lines that make machine code. */
export function makesMachineCode(folder: string): readonly CodeFinding[] {
  return findings(folder, (line) => MAKES_MACHINE_CODE.test(line))
}
