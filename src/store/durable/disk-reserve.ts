import { SluiceError, nowhere } from '../../base/index.ts'
import { durableDiagnostic } from './diagnostics.ts'
import type { Files } from './files.ts'

const MOST_BYTES = 512 * 1024 ** 2
/** Fraction of the disk to reserve, up to `MOST_BYTES`. */
const SHARE = 0.05

/**
 * Disk space that batches may not use. Segments, retention and deletion need this space while they free other space.
 */
export class DiskReserve {
  readonly #files: Files
  readonly #folder: string
  readonly reserveBytes: number

  /** `reserveBytes` is 1/20 of the disk by default, at most 512 MiB. */
  constructor(files: Files, folder: string, reserveBytes?: number) {
    this.#files = files
    this.#folder = folder
    this.reserveBytes = reserveBytes ?? Math.min(MOST_BYTES, files.space(folder).totalBytes * SHARE)
  }

  /** Free bytes of the disk, including the reserve. */
  get freeBytes(): number {
    return this.#files.space(this.#folder).freeBytes
  }

  /** Throws SluiceError `durable/disk-reserve` if writing `bytes` more bytes would use the reserve. */
  check(bytes: number): void {
    if (this.freeBytes - bytes >= this.reserveBytes) return
    throw new SluiceError([durableDiagnostic('disk-reserve', {}, nowhere)])
  }
}
