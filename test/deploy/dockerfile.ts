import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { parse } from 'yaml'

export const root = join(import.meta.dirname, '../..')

/** Untyped value of a parsed YAML file. */
export type Parsed = ReturnType<typeof parse>

/** An instruction of a Dockerfile with its complete argument; continued lines are joined. */
export interface Instruction {
  readonly name: string
  readonly text: string
}

/** A build stage: the instructions from one FROM to the next. */
export interface Stage {
  readonly base: string
  readonly name: string
  readonly instructions: readonly Instruction[]
}

export function readDockerfile(path: string): readonly Stage[] {
  const text = readFileSync(join(root, path), 'utf8')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
  const instructions = Array.from(text.matchAll(/^([A-Z]+) (.+)$/gm), ([, name = '', rest = '']) => ({
    name,
    text: rest,
  }))
  const stages: { base: string; name: string; instructions: Instruction[] }[] = []
  for (const instruction of instructions) {
    if (instruction.name !== 'FROM') stages.at(-1)?.instructions.push(instruction)
    else {
      const [base = '', , name = ''] = instruction.text.split(' ')
      stages.push({ base, name, instructions: [] })
    }
  }
  return stages
}

/** Returns the arguments of all instructions with this name. */
export function argumentsOf({ instructions }: Stage, name: string): readonly string[] {
  return instructions.filter((each) => each.name === name).map(({ text }) => text)
}

/** Returns the variables that `ENV` instructions set. */
export function environmentOf(stage: Stage): Readonly<Record<string, string>> {
  const pairs = argumentsOf(stage, 'ENV').flatMap((text) => text.split(' '))
  return Object.fromEntries(pairs.map((pair) => pair.split('=') as [string, string]))
}
