/**
 * Loops over the bytes of one memory, each in two forms: compiled from `assembly/`, and as plain TypeScript in
 * `plain/`. Parameters are byte addresses unless stated otherwise; `layout.ts` has the layouts. Kernels read and write
 * whole vectors, so `SLACK_BYTES` after each range must belong to the memory. Nothing is checked: the caller is
 * responsible for ranges, sizes and alignment.
 */
export interface Kernels {
  /**
   * Sets the bit of every row whose bytes contain a needle. `offsets` has the start of each row and the end of the last
   * one; `offsets`, `from` and `end` count from `text`, which may be before the memory. `masks[k]`, 0x20 where case is
   * ignored, is or-ed to a byte before it is compared with `needle[k]`. `probeA` and `probeB` are indexes of rare bytes
   * of the needle. `edges` are `EDGE_` bits: with them the match must not be adjacent to a byte that `wordTable` marks.
   */
  findLiteral(
    text: number,
    from: number,
    end: number,
    offsets: number,
    needle: number,
    length: number,
    masks: number,
    probeA: number,
    probeB: number,
    edges: number,
    wordTable: number,
    bitmap: number,
  ): void

  /**
   * Splits each value into a high and a low part and adds the parts, and 1 for the count, to the sums of its group
   * (`SUM_BYTES`). `cutHigh` and `cutLow` are added and subtracted to round a value to a part. A value that the two
   * parts do not represent exactly, that exceeds `limit`, or that is NaN is skipped: its address is written to
   * `misses`. Returns the end of `misses`.
   */
  sumExactly(
    groups: number,
    values: number,
    valuesEnd: number,
    sums: number,
    cutHigh: number,
    cutLow: number,
    limit: number,
    misses: number,
  ): number

  /**
   * Counts the values of each group in buckets, without NaN. A bucket is the upper 32 bits of the double, mapped to an
   * integer that grows with the value, without its last `shift` bits, minus `base`. `histogram` holds `buckets` 32-bit
   * counters per group.
   */
  countByBits(
    groups: number,
    values: number,
    valuesEnd: number,
    buckets: number,
    shift: number,
    base: number,
    histogram: number,
  ): void

  /**
   * Replaces each number in `lefts` by the number of the pair that it forms with the number in `rights`. `table[left ×
   * size + right]` holds the number of a pair plus one, or 0 for a new pair. A new pair gets the next number, and its
   * index in the table is appended to `added`. `count` is the number of known pairs; returns the new count.
   */
  numberPairs(
    lefts: number,
    leftsEnd: number,
    rights: number,
    table: number,
    size: number,
    added: number,
    count: number,
  ): number

  /**
   * Writes strings as JSON one after another and returns the end of the output. Each range (`stride` bytes apart) is
   * replaced by the range of the string's JSON. A string with a byte beyond ASCII, or with a byte for which `escapes`
   * has no letter, gets the length `BY_VALUE` and is counted at `refused`. Ranges with address 0 are not changed.
   */
  quoteStrings(range: number, stride: number, count: number, out: number, escapes: number, refused: number): number

  /**
   * Writes doubles as `String` does. Numbers that need an exponent, infinities, NaN and -0 get the length `BY_VALUE`,
   * as in `quoteStrings`.
   */
  writeNumbers(
    range: number,
    stride: number,
    count: number,
    values: number,
    out: number,
    tables: number,
    refused: number,
  ): number

  /**
   * Writes times within one minute as JSON strings: the prefix, then the seconds with nine fraction digits. `nanos` are
   * doubles, nanoseconds since the start of the minute. A negative value or NaN is not written, and its range is not
   * changed.
   */
  writeTimes(
    range: number,
    stride: number,
    count: number,
    nanos: number,
    prefix: number,
    prefixBytes: number,
    out: number,
  ): number

  /**
   * Writes rows as JSON objects and returns the end of the output. A separator of one or two bytes, the first one in
   * the lowest byte, precedes each row. The ranges of values are in row order. A value of length 0 is replaced by its
   * column's default range; if that is empty too, the member is left out. Each key begins with a comma.
   */
  joinPieces(
    range: number,
    columns: number,
    columnsAt: number,
    rows: number,
    separator: number,
    separatorBytes: number,
    out: number,
  ): number

  /**
   * Writes points as `,[1767225600.123,"0.1"]` until one has a time beyond 2^53 ms or a number that `writeNumbers` does
   * not write. Returns the end of the output, and stores the number of points at `written`.
   */
  writePoints(times: number, values: number, count: number, out: number, tables: number, written: number): number

  /**
   * Writes rate, increase or difference of each window `(end - rangeMs, end]` of a series, with kind 1; a window with
   * fewer than two samples gets kind 0. The ends must ascend. Returns the address of the first time in the last window.
   */
  rateWindows(
    times: number,
    timesEnd: number,
    values: number,
    ends: number,
    endsEnd: number,
    out: number,
    kinds: number,
    rangeMs: number,
    divisor: number,
    isCounter: number,
  ): number

  /**
   * Reads JSON lines that have the structure of earlier lines. A template holds the bytes between the values of such a
   * line; a line with these bytes and valid values is valid JSON. Writes one record per line until `outEnd`; the last
   * record may exceed it. `templates` holds the number of templates, then their addresses; `template` is the index of
   * the template to try first.
   */
  scanLines(
    from: number,
    end: number,
    out: number,
    outEnd: number,
    templates: number,
    template: number,
    state: number,
  ): void

  /**
   * Converts the ASCII letters in `[text, end)` to lower case, and sets the bit in `bits` of each byte that belongs to
   * a word. All bytes beyond ASCII belong to words.
   */
  foldWords(text: number, bits: number, end: number): void

  /**
   * Adds the words of the texts `[at, to)` of a batch to the word table. Must be called after `foldWords`. `row` is the
   * row number of the batch's first text. Text `i` has the bytes from `offsets[i]` to `offsets[i + 1]`, both relative
   * to `offsets[0]`. Stops before a row whose words may not fit into the remaining memory.
   */
  readWords(text: number, bits: number, offsets: number, row: number, at: number, to: number, state: number): void

  /**
   * Copies the string `[text, end)` to `out` with the byte of a placeholder in place of each number, and of each
   * placeholder that the string itself contains. Unless `isPretty` is 0, known groups of numbers get placeholders of
   * their own. `tables` are `FoldTables`. Returns the end of the output, which is at most as long as the string.
   */
  foldNumbers(text: number, end: number, out: number, tables: number, isPretty: number): number
}
