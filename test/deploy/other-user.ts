import { spawn, spawnSync, type ChildProcess, type SpawnSyncReturns } from 'node:child_process'

/** User and group ids of `nobody`, which owns no files. */
export const NOBODY = 65534

/** The reason why commands cannot run as another user here; `undefined` if they can. */
export const cannotSwitch: string | undefined =
  process.platform === 'linux' && process.getuid?.() === 0 ? undefined : 'needs Linux and root, to become another user'

export interface AsNobody {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Runs a shell command as `nobody`. */
export function shellAsNobody(script: string, options: AsNobody): SpawnSyncReturns<string> {
  return spawnSync('/bin/sh', ['-c', script], { ...options, uid: NOBODY, gid: NOBODY, encoding: 'utf8' })
}

/** Starts a program as `nobody`. */
export function startAsNobody(program: string, args: readonly string[], options: AsNobody): ChildProcess {
  return spawn(program, args, { ...options, uid: NOBODY, gid: NOBODY, stdio: ['ignore', 'pipe', 'pipe'] })
}
