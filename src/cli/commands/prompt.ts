import process from 'node:process'
import { CommandError } from '../../base/index.ts'
import { newTarget } from '../../server/index.ts'
import type { CommandModule } from '../command.ts'
import { databasesOf } from '../databases.ts'
import { loadDemo } from '../serve/demo.ts'
import { pagerCommand, startPager } from '../prompt/pager.ts'
import { Prompt } from '../prompt/prompt.ts'
import { readPrompt } from '../prompt/read-lines.ts'
import { shellText } from '../options/query-argument.ts'
import { memorySession } from '../loaded-store.ts'
import { recordOptionsIn } from '../options/record-options.ts'
import { openSession, type Session } from '../session.ts'
import type { Terminal } from '../terminal.ts'
import { parseTimeout } from '../options/time-option.ts'
import { fileQueryOptions, type QueryArguments } from '../options/query-options.ts'

async function run(paths: readonly string[], options: QueryArguments, terminal: Terminal): Promise<void> {
  if (!terminal.isInputTty)
    throw new CommandError(
      `The prompt needs a terminal; in a script use: sluice query '*'${paths.map((path) => ` ${shellText([path])}`).join('')}`,
    )
  const databases = await databasesOf(paths, options, terminal)
  const session = databases === undefined ? await loadedSession(paths, options, terminal) : await databases()
  const pager = pagerCommand(terminal)
  const prompt = new Prompt({
    ...options,
    engine: session.engine,
    terminal,
    format: options.format ?? 'table',
    zone: recordOptionsIn(options)?.zone,
    timeoutMs: parseTimeout(options.timeout ?? '60s'),
    startPager: pager === undefined ? undefined : () => startPager(pager),
  })
  try {
    await prompt.learn(terminal.signal)
    terminal.writeError('A query and Enter answers it; \\h or `help` tells more, \\q or `quit` ends.\n')
    await readPrompt(prompt, { input: process.stdin, output: process.stdout }, terminal)
  } finally {
    await session.close()
  }
}

/** Opens files in memory, or demo data. */
async function loadedSession(paths: readonly string[], options: QueryArguments, terminal: Terminal): Promise<Session> {
  if (paths.length > 0) return memorySession(paths, options, terminal, 'off')
  const target = newTarget()
  terminal.writeError('No files were named: this is demo data, six hours of an incident that ends now.\n')
  loadDemo(target, 1, terminal.nowNs())
  return openSession(target.store, options.backend, terminal, 'off')
}

export const define: CommandModule['define'] = (command, terminal) => {
  fileQueryOptions(command)
    .option('--table <name>', 'name of the table in the files', 'logs')
    .argument('[files...]', 'what is asked, kept in memory; demo data when there are none')
    .action((files: string[], options: QueryArguments) => run(files, options, terminal))
}
