import { CommandError } from '../../base/index.ts'
import { folderName } from '../../store/persistence/index.ts'
import { excerpt } from '../../wire/index.ts'

/** Maximum length of a file name, bytes. */
const MAX_NAME_BYTES = 255

/**
 * Checks a backend id. It must be usable in `serve --backends`, in the header `X-Backend-Id`, and as the name of a
 * folder. Throws CommandError.
 */
export function checkedBackendId(id: string, option: string): string {
  const isSayable = id !== '' && id === id.trim() && !id.includes(',') && !/\p{Cc}/u.test(id) && id.isWellFormed()
  if (!isSayable || folderName(id).length > MAX_NAME_BYTES)
    throw new CommandError(
      `${option} needs ids without commas, control characters and blanks around them, of 255 bytes at most (fewer where letters are not lower case), not \`${excerpt(id)}\`.`,
    )
  return id
}
