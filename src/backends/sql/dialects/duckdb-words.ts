/**
 * A character class of exactly Sluice's word characters (`data/semantics/words.ts`), for DuckDB's RE2: the letters and
 * digits that RE2 knows, and those that newer Unicode versions have added.
 */
export const duckdbWordClass: string = [
  String.raw`\pL\p{Nd}_\x{88f}\x{c5c}\x{cdc}\x{1c89}-\x{1c8a}\x{a7cb}-\x{a7cf}`,
  String.raw`\x{a7d2}\x{a7d4}\x{a7da}-\x{a7dc}\x{a7f1}\x{105c0}-\x{105f3}\x{10940}-\x{10959}`,
  String.raw`\x{10d40}-\x{10d65}\x{10d6f}-\x{10d85}\x{10ec2}-\x{10ec7}\x{11380}-\x{11389}\x{1138b}\x{1138e}`,
  String.raw`\x{11390}-\x{113b5}\x{113b7}\x{113d1}\x{113d3}\x{116d0}-\x{116e3}\x{11bc0}-\x{11be0}`,
  String.raw`\x{11bf0}-\x{11bf9}\x{11db0}-\x{11ddb}\x{11de0}-\x{11de9}\x{13460}-\x{143fa}\x{16100}-\x{1611d}\x{16130}-\x{16139}`,
  String.raw`\x{16d40}-\x{16d6c}\x{16d70}-\x{16d79}\x{16ea0}-\x{16eb8}\x{16ebb}-\x{16ed3}\x{16ff2}-\x{16ff3}\x{187f8}-\x{187ff}`,
  String.raw`\x{18cff}\x{18d09}-\x{18d1e}\x{18d80}-\x{18df2}\x{1ccf0}-\x{1ccf9}\x{1e5d0}-\x{1e5ed}\x{1e5f0}-\x{1e5fa}`,
  String.raw`\x{1e6c0}-\x{1e6de}\x{1e6e0}-\x{1e6e2}\x{1e6e4}-\x{1e6e5}\x{1e6e7}-\x{1e6ed}\x{1e6f0}-\x{1e6f4}\x{1e6fe}-\x{1e6ff}`,
  String.raw`\x{2b73a}-\x{2b73f}\x{2cea2}-\x{2cead}\x{2ebf0}-\x{2ee5d}\x{323b0}-\x{33479}`,
].join('')
