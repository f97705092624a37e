"""The SQLite schema: one clustered row a record, nothing stored that follows from it.

Measured (docs/performance.md): a flat alias table of six rows a record takes about six times the space and
the build time of this one, and its key on (kind, value) breaks when two papers share their first 8 characters, which
happens at the size of arXiv. So the DOI, the two arXiv forms and the short forms are computed, and only what cannot be
computed is kept in `link`.

Tables are not STRICT: SQLite before 3.37 is still what Python 3.11 finds on long-term Linux releases.
"""

APPLICATION_ID = 0x50495448
"""`PITH`, in the file header: tells an index from any other SQLite file."""

_FIRST = """
CREATE TABLE license(id INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE);
CREATE TABLE categories(id INTEGER PRIMARY KEY, names TEXT NOT NULL UNIQUE);
CREATE TABLE record(
  source INTEGER NOT NULL,
  arxiv TEXT NOT NULL,
  version INTEGER NOT NULL,
  number TEXT NOT NULL,
  tail BLOB NOT NULL,
  origin INTEGER NOT NULL,
  submitted INTEGER NOT NULL,
  license INTEGER NOT NULL REFERENCES license(id),
  categories INTEGER NOT NULL REFERENCES categories(id),
  hashes BLOB NOT NULL,
  PRIMARY KEY(source, arxiv, version, number)
) WITHOUT ROWID;
CREATE UNIQUE INDEX record_number ON record(number);
CREATE TABLE display(number TEXT NOT NULL UNIQUE, title TEXT NOT NULL, authors TEXT NOT NULL);
CREATE TABLE link(
  doi TEXT NOT NULL,
  source INTEGER NOT NULL,
  arxiv TEXT NOT NULL,
  origin INTEGER NOT NULL,
  PRIMARY KEY(doi, source, arxiv)
) WITHOUT ROWID;
CREATE INDEX link_paper ON link(source, arxiv);
CREATE VIEW records AS
SELECT 'pith:' || (submitted / 10000000000) || ':' || r.number AS pith_number,
       'pith:' || substr(r.number, 1, 8) AS short_pith_number,
       arxiv, version, arxiv || 'v' || version AS arxiv_version, '10.48550/arxiv.' || arxiv AS doi,
       title, authors,
       CASE instr(names, ' ') WHEN 0 THEN names ELSE substr(names, 1, instr(names, ' ') - 1) END AS primary_cat,
       CASE instr(names, ' ') WHEN 0 THEN '' ELSE substr(names, instr(names, ' ') + 1) END AS cross_cats,
       l.url AS license,
       printf('%04d-%02d-%02dT%02d:%02d:%02dZ', submitted / 10000000000, submitted / 100000000 % 100,
              submitted / 1000000 % 100, submitted / 10000 % 100, submitted / 100 % 100, submitted % 100)
         AS submitted_at,
       lower(hex(substr(hashes, 1, 32))) AS title_canon_sha256,
       lower(hex(substr(hashes, 33, 32))) AS abstract_canon_sha256,
       trim(CASE WHEN origin & 1 THEN 'computed ' ELSE '' END || CASE WHEN origin & 2 THEN 'stated ' ELSE '' END ||
            CASE WHEN origin & 4 THEN 'receipt ' ELSE '' END || CASE WHEN origin & 8 THEN 'bundle' ELSE '' END)
         AS provenance
FROM record r
JOIN license l ON l.id = r.license
JOIN categories c ON c.id = r.categories
LEFT JOIN display d ON d.number = r.number
WHERE source = 0;
CREATE VIEW aliases AS
SELECT 'arxiv' AS alias_kind, arxiv AS alias_value, pith_number, provenance FROM records
UNION ALL SELECT 'arxiv_version', arxiv_version, pith_number, provenance FROM records
UNION ALL SELECT 'doi', doi, pith_number, provenance FROM records
UNION ALL SELECT 'pith_short_12', substr(pith_number, 11, 12), pith_number, provenance FROM records
UNION ALL SELECT 'pith_short_16', substr(pith_number, 11, 16), pith_number, provenance FROM records
UNION ALL SELECT 'pith_short_8', substr(pith_number, 11, 8), pith_number, provenance FROM records
UNION ALL SELECT 'linked_doi', link.doi, records.pith_number,
  trim(CASE WHEN link.origin & 1 THEN 'computed ' ELSE '' END || CASE WHEN link.origin & 2 THEN 'stated ' ELSE '' END ||
       CASE WHEN link.origin & 4 THEN 'receipt ' ELSE '' END || CASE WHEN link.origin & 8 THEN 'bundle' ELSE '' END)
FROM link JOIN records ON records.arxiv = link.arxiv;
"""

_GRAPH = """
CREATE TABLE event(
  seen INTEGER PRIMARY KEY,
  number TEXT NOT NULL,
  object_sha256 BLOB NOT NULL,
  event_id TEXT NOT NULL,
  raw BLOB NOT NULL,
  UNIQUE(number, object_sha256)
);
CREATE TABLE alias_seen(
  number TEXT NOT NULL,
  kind TEXT NOT NULL,
  value TEXT NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY(number, kind, value, created_at)
) WITHOUT ROWID;
CREATE TABLE bundle(
  seen INTEGER PRIMARY KEY,
  number TEXT NOT NULL,
  file_sha256 BLOB NOT NULL UNIQUE,
  built_at TEXT NOT NULL,
  signer TEXT NOT NULL,
  raw BLOB NOT NULL
);
CREATE INDEX bundle_number ON bundle(number);
CREATE TABLE hint(
  seen INTEGER PRIMARY KEY,
  number TEXT NOT NULL,
  member TEXT NOT NULL,
  object_sha256 BLOB NOT NULL,
  raw BLOB NOT NULL,
  UNIQUE(number, member, object_sha256)
);
"""
# What was received about records, as it was received; rows are only ever added. An event is kept once for each record
# it came with, not once at all: else a false bundle could bind another record's event to itself before the true one
# comes.

MIGRATIONS: tuple[str, ...] = (_FIRST, _GRAPH)
"""Scripts in order, only ever appended to; `PRAGMA user_version` counts those that ran."""

SELECT_MATCH = "SELECT 'pith:' || (submitted / 10000000000) || ':' || number, arxiv, version, origin FROM record "
"""Column order of `Match`. The year is divided out in SQL: cheaper than any conversion in Python."""

LATEST = SELECT_MATCH + "WHERE source = 0 AND arxiv = ? ORDER BY version DESC LIMIT 2"
VERSIONS = SELECT_MATCH + "WHERE source = 0 AND arxiv = ? ORDER BY version DESC, number"
AT_VERSION = SELECT_MATCH + "WHERE source = 0 AND arxiv = ? AND version = ?"
WITH_NUMBER = SELECT_MATCH + "WHERE number = ?"
WITH_PREFIX = SELECT_MATCH + "WHERE number >= ? AND number < ? || '~' ORDER BY number LIMIT ?"
