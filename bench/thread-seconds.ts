import { readFileSync, readdirSync } from 'node:fs'

/** Processor seconds of threads by their ids. */
export type ThreadSeconds = readonly (readonly [id: string, seconds: number])[]

/** Returns the processor seconds of each thread of a process. Only Linux reports them; elsewhere the list is empty. */
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
