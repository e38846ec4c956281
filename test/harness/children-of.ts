import { readdirSync, readFileSync } from 'node:fs'

/** Returns the ids of the running child processes of a process; zombies are left out. */
export function childrenOf(pid: number): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'latin1')
        const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
        return Number(parent) === pid && state !== 'Z'
      } catch {
        return false
      }
    })
    .map(Number)
}
