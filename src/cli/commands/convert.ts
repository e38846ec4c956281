import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { throwIfErrors } from '../../base/index.ts'
import { standardFunctions } from '../../functions/index.ts'
import { pipelineToText } from '../../lang/json/index.ts'
import { decode, parseJson, pipeline } from '../../wire/index.ts'
import type { CommandModule } from '../command.ts'
import type { Terminal } from '../terminal.ts'

/** The pipeline of a whole search body, or the value itself. */
function pipelineOf(value: unknown): unknown {
  const members = Object.entries(typeof value === 'object' && value !== null ? value : {})
  return members.find(([name]) => name.toLowerCase() === 'pipeline')?.[1] ?? value
}

async function run(file: string, terminal: Terminal): Promise<void> {
  const body = decode(pipeline, pipelineOf(parseJson(readFileSync(file, 'utf8'))))
  const { stats, scalar } = standardFunctions
  const { text, diagnostics } = pipelineToText(body, {
    stats: (name) => stats.get(name)?.name,
    scalar: (name) => scalar.get(name)?.name,
    all: () => [...stats.names(), ...scalar.names()],
  })
  throwIfErrors(diagnostics)
  await terminal.write(`${text}\n`)
}

export const define: CommandModule['define'] = (command: Command, terminal) => {
  command
    .argument('<file>', 'a structured query, or a search body with a `pipeline`, as JSON')
    .action((file: string) => run(file, terminal))
}
