import { readFileSync, readdirSync } from 'node:fs'

/** Processor time of threads, by their ids, seconds. */
export type ThreadSeconds = readonly (readonly [id: string, seconds: number])[]

/** Of the threads that a process has; nothing where the system does not tell, which only Linux does. */
export function threadSeconds(pid: number | undefined): ThreadSeconds {
  const folder = `/proc/${pid}/task`
  try {
    return readdirSync(folder).map((id) => {
      const [ns] = readFileSync(`${folder}/${id}/schedstat`, 'utf8').split(' ')
      return [id, Number(ns) / 1e9] as const
    })
  } catch {
    return []
  }
}
