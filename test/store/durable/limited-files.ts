import { diskFiles, type Files, type OpenFile } from '../../../src/store/durable/index.ts'

/** Returns the disk's files with a size limit: like a full disk, a write stores only the bytes that fit. */
export function limitedFiles(maxBytes: number): Files {
  const limited = (file: OpenFile): OpenFile => ({
    size: () => file.size(),
    read: (into, at) => file.read(into, at),
    write: (bytes, at) => {
      file.write(bytes.subarray(0, Math.max(0, maxBytes - at)), at)
      if (at + bytes.length > maxBytes) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
    },
    truncate: (length) => file.truncate(length),
    sync: () => file.sync(),
    syncLater: () => file.syncLater(),
    identity: () => file.identity(),
    close: () => file.close(),
  })
  return {
    ...diskFiles,
    open: (path) => limited(diskFiles.open(path)),
    create: (path) => limited(diskFiles.create(path)),
  }
}
