import { SluiceError, nowhere } from '../../base/index.ts'
import { durableDiagnostic } from './diagnostics.ts'
import type { Files } from './files.ts'

const MOST_BYTES = 512 * 1024 ** 2
/** The part of a small disk. */
const SHARE = 0.05

/** What of a disk no batch takes: segments, retention and deletion need space to give some back. */
export class DiskReserve {
  readonly #files: Files
  readonly #folder: string
  readonly reserveBytes: number

  /** A twentieth of the disk, 512 MiB at most, unless given. */
  constructor(files: Files, folder: string, reserveBytes?: number) {
    this.#files = files
    this.#folder = folder
    this.reserveBytes = reserveBytes ?? Math.min(MOST_BYTES, files.space(folder).totalBytes * SHARE)
  }

  /** What the disk has now, the reserve included. */
  get freeBytes(): number {
    return this.#files.space(this.#folder).freeBytes
  }

  /** Throws SluiceError `durable/disk-reserve` where so many bytes more would come out of the reserve. */
  check(bytes: number): void {
    if (this.freeBytes - bytes >= this.reserveBytes) return
    throw new SluiceError([durableDiagnostic('disk-reserve', {}, nowhere)])
  }
}
