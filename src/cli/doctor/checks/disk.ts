import { sizeText } from '../../../base/index.ts'
import { statSync, statfsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DiskReserve, diskFiles } from '../../../store/durable/index.ts'
import { ok, problem, warning, type Check, type Finding } from '../check.ts'

/** File systems unsuitable for a data folder, with the reason, by their magic number in `statfs`. */
const UNFIT: ReadonlyMap<number, string> = new Map([
  [0x01021994, 'tmpfs, which is memory: everything is lost at a restart of the machine'],
  [0x6969, 'NFS, where locks and syncs are as safe as its server and its mount options'],
  [0xff534d42, 'CIFS, which does not keep the locks of the data folder'],
  [0xfe534d42, 'SMB, which does not keep the locks of the data folder'],
])

/** Minimum number of free inodes: enough for the part files of some days, which need one inode each. */
const LEAST_INODES = 10_000

/** Returns the nearest existing parent of a path. */
function existing(path: string): string {
  let folder = resolve(path)
  while (statSync(folder, { throwIfNoEntry: false }) === undefined) folder = dirname(folder)
  return folder
}

function findSpace(folder: string, reserveBytes: number | undefined): Finding {
  const reserve = new DiskReserve(diskFiles, folder, reserveBytes)
  const { freeBytes } = reserve
  const text = `The disk of ${folder} has ${sizeText(freeBytes)} free; ingest leaves ${sizeText(reserve.reserveBytes)} of it`
  const fix = 'Free space, give the folder a larger disk, or keep less: --retain, --retain-bytes.'
  if (freeBytes < reserve.reserveBytes) return problem(`${text}, so senders get 507.`, fix)
  return freeBytes < 2 * reserve.reserveBytes ? warning(`${text} and will refuse senders soon.`, fix) : ok(`${text}.`)
}

export const disk: Check = {
  name: 'disk',
  find: ({ diskReserveBytes, options: { data } }) => {
    if (data === undefined) return [ok('Nothing is stored on disk.')]
    const folder = existing(data)
    const { type, files, ffree } = statfsSync(folder)
    const unfit = process.platform === 'linux' ? UNFIT.get(type) : undefined
    return [
      findSpace(folder, diskReserveBytes),
      // Some file systems, such as btrfs, have no fixed number of inodes and report 0.
      ...(files > 0 && ffree < LEAST_INODES
        ? [
            warning(
              `The disk of ${folder} has room for ${ffree} more files.`,
              'Remove files, or make the file system anew with more inodes.',
            ),
          ]
        : []),
      ...(unfit === undefined ? [] : [warning(`${folder} is on ${unfit}.`, 'Use a local disk.')]),
    ]
  },
}
