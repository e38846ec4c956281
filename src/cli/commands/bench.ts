import { CommandError } from '../../base/index.ts'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import type { CommandModule } from '../command.ts'

/** The bench stands beside the source; it is not part of the installed package. */
const root = import.meta.url.endsWith('.ts') ? '../../..' : '../..'
const benchFile = fileURLToPath(new URL(`${root}/bench/main.ts`, import.meta.url))

export const define: CommandModule['define'] = (command: Command) => {
  command
    .allowUnknownOption()
    .allowExcessArguments()
    // The bench has a help text of its own.
    .helpOption(false)
    .argument('[options...]', 'see bench/README.md')
    .action(async (args: readonly string[]) => {
      if (!existsSync(benchFile))
        throw new CommandError('The bench comes with the source of sluice: clone it and run `npm run bench`.')
      const child = spawn(process.execPath, [benchFile, ...args], { stdio: 'inherit' })
      const code = await new Promise<number | null>((resolve) => {
        child.on('exit', resolve)
      })
      if (code !== 0) throw new CommandError('', 1)
    })
}
