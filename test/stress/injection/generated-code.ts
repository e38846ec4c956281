import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Matches code that runs a string as code. `RegExp` runs none, so its uses are listed separately. */
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

/** Matches the creation of a WebAssembly module. The columnar kernels' assembler creates one, from numbers only. */
const MAKES_MACHINE_CODE = /\bnew (?:\w+\.)?Module\(/

const MAKES_PATTERN = /\bRegExp\(/

export interface CodeFinding {
  /** Path relative to the source folder. */
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

/** Returns the lines that could run a string as code. */
export function runsTextAsCode(folder: string): readonly CodeFinding[] {
  return findings(folder, (line) => RUNS_TEXT.some((pattern) => pattern.test(line)))
}

/** Returns the lines that create a `RegExp` from a string. */
export function makesPatterns(folder: string): readonly CodeFinding[] {
  return findings(folder, (line) => MAKES_PATTERN.test(line))
}

/** Returns the lines that create a WebAssembly module. */
export function makesMachineCode(folder: string): readonly CodeFinding[] {
  return findings(folder, (line) => MAKES_MACHINE_CODE.test(line))
}
