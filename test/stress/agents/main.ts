import type { StressRun } from '../run.ts'
import { agents } from './list.ts'
import { tryAgents } from './try-agents.ts'

/**
 * Runs each installed program of `list.ts` as its own documentation describes, and searches for the rows that it sent.
 * `--path FOLDER:FOLDER` names folders with programs and packages, which are searched before the PATH. `--only NAME`
 * selects one program.
 */
export const stress: StressRun = {
  seconds: 0,
  options: { path: 'value', only: 'value' },
  async run({ values, print }) {
    const only = values.get('only')
    const chosen = agents.filter(({ name }) => only === undefined || name === only)
    const folders = (values.get('path') ?? '').split(':').filter((folder) => folder !== '')
    const tried = await tryAgents(chosen, folders)
    for (const { agent, outcome } of tried) print(`${agent.name}, ${agent.protocol}: ${outcome.text}`)
    const failed = tried.filter(({ outcome }) => outcome.kind === 'failed').length
    const found = tried.filter(({ outcome }) => outcome.kind !== 'missing').length
    print(`${found} of ${tried.length} programs found, ${failed} failed`)
    return found === 0 ? 2 : failed > 0 ? 1 : 0
  },
}
