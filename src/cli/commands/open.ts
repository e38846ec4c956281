import type { Command } from 'commander'
import { CommandError, isSystemError } from '../../base/index.ts'
import type { CommandModule } from '../command.ts'
import { consoleFolder } from '../serve/console.ts'
import { FileServer } from '../serve/file-server.ts'
import type { Terminal } from '../terminal.ts'

interface OpenArguments {
  readonly port: string
}

async function run(files: readonly string[], options: OpenArguments, terminal: Terminal): Promise<void> {
  const port = Number(options.port)
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new CommandError(`--port needs a number from 0 to 65535, not \`${options.port}\`.`)
  const { namedFiles } = await import('../../sources/files/index.ts')
  const server = new FileServer(consoleFolder(import.meta.url), namedFiles(files).paths)
  const address = await server.listen(port).catch((error: unknown) => {
    const reason = isSystemError(error) ? error.message : String(error)
    throw new CommandError(`Cannot listen on 127.0.0.1:${port}: ${reason}`, 1)
  })
  try {
    await terminal.write(`Open ${address}\n`)
    terminal.writeError('The files are read in the page; Ctrl+C ends this command.\n')
    await new Promise<void>((done) => {
      if (terminal.signal.aborted) done()
      else terminal.signal.addEventListener('abort', () => done(), { once: true })
    })
  } finally {
    await server.close()
  }
}

export const define: CommandModule['define'] = (command: Command, terminal) => {
  command
    .argument('<files...>', 'files, folders or patterns')
    .option('--port <n>', 'port on this machine; 0 selects a free one', '0')
    .action((files: readonly string[], options: OpenArguments) => run(files, options, terminal))
}
