import { readFileSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import type { Command } from 'commander'
import type { TestReport } from '../../alerting/testing/index.ts'
import { CommandError, SluiceError, nextTurn } from '../../base/index.ts'
import { namedFiles } from '../../sources/files/index.ts'
import { tellFileFaults } from '../diagnostics-output.ts'
import { choice } from '../options/choice-option.ts'
import type { Terminal } from '../terminal.ts'

interface TestArguments {
  readonly format: 'text' | 'junit'
}

/** Largest file of rules, monitors or tests, in bytes: a YAML document has at most 1 MiB. */
const MAX_FILE_BYTES = 64 * 1024 * 1024

/** Reads a file of rules, monitors or tests. Throws CommandError. */
export function readText(path: string): string {
  try {
    const stats = statSync(path)
    // A device such as /dev/zero may never end.
    if (stats.isCharacterDevice() || stats.isBlockDevice()) throw new Error('it is a device')
    if (stats.size > MAX_FILE_BYTES) throw new Error('it is larger than 64 MiB')
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new CommandError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

type Testing = typeof import('../../alerting/testing/index.ts')

/** Runs the tests of one file. Paths in the file are relative to its folder. */
async function runFile(file: string, text: string, testing: Testing, { signal }: Terminal): Promise<TestReport> {
  const { isMonitorTests, runMonitorTests, runPromtoolTests } = testing
  const beside = (path: string): string => (isAbsolute(path) ? path : join(dirname(file), path))
  // Yields to the event loop, so that the signal of Ctrl-C can arrive.
  const pause = async (): Promise<void> => {
    await nextTurn()
    if (signal.aborted) throw new CommandError('', 130)
  }
  if (isMonitorTests(text)) {
    const { monitorQueryTools } = await import('../../server/index.ts')
    const readFile = (path: string): string => readText(beside(path))
    return await runMonitorTests(file, text, { readFile, queryTools: monitorQueryTools, pause })
  }
  const findFiles = (pattern: string): readonly string[] => namedFiles([beside(pattern)]).paths
  return await runPromtoolTests(file, text, { readFile: readText, findFiles, pause })
}

/** Prints the errors of a test file, or of another file that the test file names. */
function tellFaults(
  error: SluiceError,
  file: string,
  text: string,
  { SourceError }: Testing,
  terminal: Terminal,
): void {
  if (error instanceof SourceError)
    tellFileFaults(error, error.text, error.source, terminal, `${error.source}, named in ${file}`)
  else tellFileFaults(error, text, file, terminal)
}

function reportText({ file, tests }: TestReport): string {
  const failed = tests.filter(({ failure }) => failure !== undefined)
  const lines = failed.flatMap(({ name, failure = '' }) => [`  ${name}`, failure.replaceAll(/^/gm, '    ')])
  return [`${file}: ${tests.length - failed.length} of ${tests.length} tests passed`, ...lines, ''].join('\n')
}

/** Runs test files. Ends the command with exit code 1 if a test fails, and 2 if a file is wrong. */
async function run(names: readonly string[], { format }: TestArguments, terminal: Terminal): Promise<void> {
  const testing = await import('../../alerting/testing/index.ts')
  const reports: TestReport[] = []
  const { paths } = namedFiles(names)
  for (const file of paths) {
    let text = ''
    try {
      text = readText(file)
      const report = await runFile(file, text, testing, terminal)
      reports.push(report)
      if (format === 'text') await terminal.write(reportText(report))
    } catch (error) {
      if (error instanceof CommandError && error.exitCode !== 130) terminal.writeError(`${error.message}\n`)
      else if (error instanceof SluiceError) tellFaults(error, file, text, testing, terminal)
      else throw error
    }
  }
  if (format === 'junit') await terminal.write(testing.junitXml(reports))
  if (reports.length < paths.length) throw new CommandError('', 2)
  if (reports.some(({ tests }) => tests.some(({ failure }) => failure !== undefined))) throw new CommandError('', 1)
}

/** Adds the subcommand `test`, which runs tests of rule files and of monitors. */
export function addTestCommand(command: Command, terminal: Terminal): void {
  command
    .command('test')
    .description('run tests of monitors and of rule files: exit code 1 if a test fails, 2 if a file is wrong')
    .argument('<files...>', "files of tests, Sluice's or promtool's: files, folders or quoted patterns")
    .addOption(
      choice('--format <name>', 'text, or junit for the reports of a build', ['text', 'junit']).default('text'),
    )
    .action((files: string[], options: TestArguments) => run(files, options, terminal))
}
