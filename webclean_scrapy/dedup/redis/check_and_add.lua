-- Check-and-add on the Redis server: the steps of stores/local_store.py and comparison.py, so that
-- every store gives the same answers. Redis runs one script at a time: nobody writes in between.
--
-- KEYS[1]  the header, "{prefix}:header"; every other key begins with the same "{prefix}:"
-- ARGV     step, digest of the scheme, id of the run (8 bytes), number of the writer, and the
--          arguments of the step: see the functions of STEPS
-- CONFIG   options of DedupConfig, written before this text
--
-- Keys behind the prefix:
--   header  hash: scheme, version, parameters, and their digest
--   row     number of the last row; writer: number of the last writer
--   k:HASH  row of a page, by the hash of its key
--   e:ROW   entry: cluster (4 bytes), id of the run (8), writer (4), length of the key (4), key,
--           packed fingerprint (empty for a copy)
--   c:CODE  rows of representatives with the code (4 bytes as in a fingerprint), 4 bytes each
--   g:ROW   sorted set: rows of a cluster of two or more, named after the row that founded it
--   w:WRITER  exists while a writer holds its lease
--   count   number of pages that never expire; timed: sorted set of those that do, by that time
--
-- A script that fails halfway is not undone: everything that may fail comes before the first write.

local PREFIX = string.sub(KEYS[1], 1, -7)
local STEP, DIGEST, RUN, WRITER = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
local CONFIRMED = string.rep('\0', 8)
local HEAD, HEAD_BYTES = '<I4c8I4I4', 20
local NO_LIMIT = 65536
local call = redis.call

local function key_of(kind, name)
  return PREFIX .. kind .. name
end

local function key_of_page(key)
  return PREFIX .. 'k:' .. string.sub(redis.sha1hex(key), 1, 24)
end

-- Entries ---------------------------------------------------------------------------------------

local function read_entry(row)
  local packed = call('GET', key_of('e:', row))
  if not packed then return nil end
  local cluster, run, writer, length = struct.unpack(HEAD, packed)
  return {
    row = row, cluster = cluster, run = run, writer = writer,
    key = string.sub(packed, HEAD_BYTES + 1, HEAD_BYTES + length),
    data = string.sub(packed, HEAD_BYTES + length + 1),
  }
end

local function read_entry_of(key)
  local row = call('GET', key_of_page(key))
  local entry = row and read_entry(tonumber(row))
  -- A server that evicts may have forgotten the number of the last row and begun to count again.
  return entry and entry.key == key and entry or nil
end

local function read_rows(packed)
  local count = #packed / 4
  local rows = {struct.unpack('<' .. string.rep('I4', count), packed)}
  rows[count + 1] = nil  -- struct.unpack returns the next position last
  return rows
end

local function rows_of_cluster(cluster)
  local rows = call('ZRANGE', key_of('g:', cluster), 0, -1)
  if #rows == 0 then rows[1] = cluster end
  for at, row in ipairs(rows) do rows[at] = tonumber(row) end
  return rows
end

local function has_representative(cluster, without)
  for _, row in ipairs(rows_of_cluster(cluster)) do
    local entry = row ~= without and read_entry(row)
    if entry and entry.cluster == cluster and entry.data ~= '' then return true end
  end
  return false
end

-- Whether an entry counts for this run: pages that a dead writer did not export block nothing.
local function is_valid(entry)
  if entry.run == CONFIRMED then return true end
  if entry.run ~= RUN then return false end
  return entry.writer == WRITER or call('EXISTS', key_of('w:', entry.writer)) == 1
end

-- Fingerprints: codes and places stay bytes, values that are compared become numbers -------------

local function read_bytes(data, at, count)
  local parts = {}
  for index = 1, count do
    parts[index] = string.sub(data, at, at + 3)
    at = at + 4
  end
  return parts
end

local function read_numbers(data, at, count)
  local numbers = {struct.unpack('<' .. string.rep('I2', count), data, at)}
  numbers[count + 1] = nil  -- struct.unpack returns the next position last
  return numbers
end

local function read_fingerprint(data)
  local flags, codes, numbers = string.byte(data, 9, 11)
  if #data < 12 or #data ~= 12 + 6 * (codes + numbers) then
    error('WEBCLEAN damaged', 0)
  end
  local exact = string.sub(data, 1, 8)
  return {
    data = data,
    exact = exact ~= CONFIRMED and exact,  -- zeros: no words
    whole_page = flags % 2 == 1,
    complete = flags >= 2,
    codes = read_bytes(data, 13, codes),
    numbers = numbers,
  }
end

-- Read the parts that only a comparison needs.
local function read_rest(print)
  if print.ranks then return end
  local codes, numbers = #print.codes, print.numbers
  print.ranks = read_numbers(print.data, 13 + 4 * codes, codes)
  print.places = read_bytes(print.data, 13 + 6 * codes, numbers)
  print.values = read_numbers(print.data, 13 + 6 * codes + 4 * numbers, numbers)
  print.limit = print.complete and NO_LIMIT or print.ranks[codes]
end

local function code_of_text(print)
  return string.sub(print.exact, 1, 4)
end

local function measure_overlap(old, new)
  local limit = math.min(old.limit, new.limit)
  local ours, olds, news, shared = {}, 0, 0, 0
  for index, code in ipairs(old.codes) do
    if old.ranks[index] <= limit then ours[code] = true; olds = olds + 1 end
  end
  for index, code in ipairs(new.codes) do
    if new.ranks[index] <= limit then
      news = news + 1
      if ours[code] then shared = shared + 1 end
    end
  end
  return olds, news, shared
end

local function numbers_contradict(old, new)
  local ours = {}
  for index, place in ipairs(old.places) do
    ours[place] = ours[place] or {}
    ours[place][old.values[index]] = true
  end
  local agreeing = {}
  for index, place in ipairs(new.places) do
    if ours[place] then
      agreeing[place] = agreeing[place] or ours[place][new.values[index]] or false
    end
  end
  local shared, other = 0, 0
  for _, agrees in pairs(agreeing) do
    shared = shared + 1
    if not agrees then other = other + 1 end
  end
  return shared >= CONFIG.number_places and other >= CONFIG.number_places
    and other >= CONFIG.number_share * shared
end

-- What the new page is to the old one: nil, or verdict and numbers of codes of old, new and both.
local function compare(old, new)
  if new.exact and old.exact == new.exact then return {'duplicate', 1, 1, 1} end
  read_rest(old)
  read_rest(new)
  local olds, news, shared = measure_overlap(old, new)
  local least = math.min(olds, news)
  if least < CONFIG.min_codes then return nil end
  local jaccard, containment = CONFIG.min_jaccard, CONFIG.min_containment
  if old.whole_page or new.whole_page then
    jaccard, containment = CONFIG.whole_page_jaccard, CONFIG.whole_page_containment
  end
  local sure = shared / math.max(1, least) - 1 / math.sqrt(math.max(1, least))
  local is_part = shared >= CONFIG.min_codes and sure >= containment
  if shared / math.max(1, olds + news - shared) < jaccard and not is_part then return nil end
  if numbers_contradict(old, new) then return nil end
  local is_update = shared >= CONFIG.update_contained * olds
    and news - olds >= CONFIG.update_longer * news
  return {is_update and 'update' or 'duplicate', olds, news, shared}
end

-- The search ------------------------------------------------------------------------------------

-- Return the rows under each code that has any, and the raw value of each code, or false.
local function look_up(new)
  local codes, keys = {}, {}
  for index = 1, math.min(#new.codes, CONFIG.probes) do codes[index] = new.codes[index] end
  if new.exact then codes[#codes + 1] = code_of_text(new) end
  if #codes == 0 then return {}, {} end
  for index, code in ipairs(codes) do keys[index] = key_of('c:', code) end
  local postings, raw = {}, {}
  for index, packed in ipairs(call('MGET', unpack(keys))) do
    raw[codes[index]] = packed
    if packed then postings[codes[index]] = read_rows(packed) end
  end
  return postings, raw
end

local function list_candidates(new, postings)
  local rows, taken, votes, likely = {}, {}, {}, {}
  for _, row in ipairs(new.exact and postings[code_of_text(new)] or {}) do
    rows[#rows + 1] = row
    taken[row] = true
  end
  table.sort(rows)
  for _, code in ipairs(new.codes) do
    local pages = postings[code]
    if pages and #pages < CONFIG.max_pages_per_code then
      for _, row in ipairs(pages) do votes[row] = (votes[row] or 0) + 1 end
    end
  end
  for row, count in pairs(votes) do
    if count >= CONFIG.votes and not taken[row] then likely[#likely + 1] = row end
  end
  table.sort(likely, function(a, b)
    if votes[a] ~= votes[b] then return votes[a] > votes[b] end
    return a < b
  end)
  for _, row in ipairs(likely) do rows[#rows + 1] = row end
  return rows
end

-- Whether a page that this run adds under *key* is compared with an entry.
local function counts(entry, key)
  if entry.data == '' or not is_valid(entry) then return false end
  return entry.key ~= key or (RUN ~= CONFIRMED and entry.run == CONFIRMED)
end

-- The last version of the page that matched, which may be pending, and the number of comparisons.
local function find_latest(matched, new, key)
  local compared = 0
  if CONFIG.updates ~= 'replace' or matched.comparison[1] ~= 'update' then
    return matched, compared
  end
  local first = matched.entry
  for _, row in ipairs(rows_of_cluster(first.cluster)) do
    local entry = row > matched.entry.row and read_entry(row)
    if entry and entry.cluster == first.cluster and counts(entry, key) then
      compared = compared + 1
      local comparison = compare(read_fingerprint(entry.data), new)
      if comparison then matched = {entry = entry, comparison = comparison} end
    end
  end
  return matched, compared
end

-- The similarity of two pages, in ten-thousandths.
local function likeness(comparison)
  local _, olds, news, shared = unpack(comparison)
  local share = math.max(shared / (olds + news - shared), shared / math.min(olds, news))
  return math.floor(10000 * share + 0.5)
end

-- The first candidate that the new page is a copy of, else the most similar (then the latest) that
-- it is an update of, and the number of comparisons.
local function search(new, postings, key)
  local updated, compared = nil, 0
  for _, row in ipairs(list_candidates(new, postings)) do
    local entry = read_entry(row)
    if entry and counts(entry, key) then
      compared = compared + 1
      local comparison = compare(read_fingerprint(entry.data), new)
      local matched = comparison and {entry = entry, comparison = comparison}
      if matched and comparison[1] ~= 'update' then return matched, compared end
      if matched then
        matched.likeness = likeness(comparison)
        if not updated or matched.likeness > updated.likeness
          or (matched.likeness == updated.likeness and row > updated.entry.row) then
          updated = matched
        end
      end
      if compared == CONFIG.max_candidates then break end
    end
  end
  if not updated then return nil, compared end
  local matched, more = find_latest(updated, new, key)
  return matched, compared + more
end

-- Entries that a page is an update of: it represents them when it is confirmed.
local function list_older(cluster, own_row, run, data)
  local older = {}
  if CONFIG.updates ~= 'replace' then return older end
  local new = read_fingerprint(data)
  for _, row in ipairs(rows_of_cluster(cluster)) do
    local entry = row ~= own_row and read_entry(row)
    if entry and entry.cluster == cluster and entry.data ~= ''
      and (entry.run == CONFIRMED or entry.run == run) then
      local comparison = compare(read_fingerprint(entry.data), new)
      if comparison and comparison[1] == 'update' then older[#older + 1] = entry end
    end
  end
  return older
end

local function answer(matched, compared)
  if not matched then return {compared} end
  local verdict, olds, news, shared = unpack(matched.comparison)
  return {compared, matched.entry.key, verdict, olds, news, shared}
end

-- Writing ---------------------------------------------------------------------------------------

-- Let a key that several entries share expire with the last of them.
local function extend_expiry(key, existed)
  if CONFIG.ttl == 0 then
    if existed then call('PERSIST', key) end
    return
  end
  local left = existed and call('TTL', key) or 0
  if left >= 0 and left < CONFIG.ttl then call('EXPIRE', key, CONFIG.ttl) end
end

local function set(key, value)
  if CONFIG.ttl == 0 then call('SET', key, value) else call('SET', key, value, 'EX', CONFIG.ttl) end
end

local function count(row)
  if CONFIG.ttl == 0 then return call('INCR', PREFIX .. 'count') end
  local now = tonumber(call('TIME')[1])
  call('ZREMRANGEBYSCORE', PREFIX .. 'timed', '-inf', now - 1)
  call('ZADD', PREFIX .. 'timed', now + CONFIG.ttl, row)
end

local function uncount(row)
  if call('ZREM', PREFIX .. 'timed', row) == 0 then call('DECR', PREFIX .. 'count') end
end

local function drop_postings(entry)
  local print = read_fingerprint(entry.data)
  local codes, keys = print.codes, {}
  if print.exact then codes[#codes + 1] = code_of_text(print) end
  if #codes == 0 then return end
  for index, code in ipairs(codes) do keys[index] = key_of('c:', code) end
  local own = struct.pack('<I4', entry.row)
  for index, packed in ipairs(call('MGET', unpack(keys))) do
    local left = {}
    for at = 1, packed and #packed or 0, 4 do
      local row = string.sub(packed, at, at + 3)
      if row ~= own then left[#left + 1] = row end
    end
    if packed and #left * 4 < #packed then
      local time = call('TTL', keys[index])
      if #left == 0 then
        call('DEL', keys[index])
      else
        call('SET', keys[index], table.concat(left))
        if time >= 0 then call('EXPIRE', keys[index], time) end
      end
    end
  end
end

-- Turn entries that another one represents from now on into copies.
local function demote(entries)
  for _, entry in ipairs(entries) do
    local key = key_of('e:', entry.row)
    local time = call('TTL', key)
    drop_postings(entry)
    call('SET', key, struct.pack(HEAD, entry.cluster, CONFIRMED, 0, #entry.key) .. entry.key)
    if time >= 0 then call('EXPIRE', key, math.max(time, 1)) end
  end
end

local function delete(entry)
  if entry.data ~= '' then drop_postings(entry) end
  call('DEL', key_of_page(entry.key), key_of('e:', entry.row))
  call('ZREM', key_of('g:', entry.cluster), entry.row)
  uncount(entry.row)
end

local function join(row, cluster)
  local group = key_of('g:', cluster)
  local existed = call('EXISTS', group) == 1
  if not existed and cluster == row then return end
  local founder = not existed and read_entry(cluster)
  if founder and founder.cluster == cluster then call('ZADD', group, cluster, cluster) end
  call('ZADD', group, row, row)
  extend_expiry(group, existed)
end

local function move_cluster(old, new)
  for _, row in ipairs(call('ZRANGE', key_of('g:', old), 0, -1)) do
    row = tonumber(row)
    if call('EXISTS', key_of('e:', row)) == 1 then
      call('SETRANGE', key_of('e:', row), 0, struct.pack('<I4', new))
      join(row, new)
    end
  end
  call('DEL', key_of('g:', old))
end

-- Add *entry* under *codes*; *raw*: values of codes that were read before and did not change.
local function add_postings(entry, codes, raw)
  if #codes == 0 then return end
  local pairs_to_set, existing = {}, {}
  local row = struct.pack('<I4', entry.row)
  for index, code in ipairs(codes) do
    local key, packed = key_of('c:', code), raw[code]
    if packed == nil then packed = call('GET', key) end
    pairs_to_set[2 * index - 1] = key
    pairs_to_set[2 * index] = (packed or '') .. row
    if CONFIG.ttl > 0 then existing[index] = packed and call('TTL', key) or 0 end
  end
  call('MSET', unpack(pairs_to_set))
  for index, left in ipairs(existing) do  -- as extend_expiry does
    if left >= 0 then call('EXPIRE', pairs_to_set[2 * index - 1], math.max(left, CONFIG.ttl)) end
  end
end

local function insert(entry, codes, raw)
  local head = struct.pack(HEAD, entry.cluster, entry.run, entry.writer, #entry.key)
  set(key_of('e:', entry.row), head .. entry.key .. entry.data)
  set(key_of_page(entry.key), entry.row)
  count(entry.row)
  join(entry.row, entry.cluster)
  add_postings(entry, codes, raw)
end

local function codes_to_index(new, postings)
  local codes = {}
  if new.exact then codes[1] = code_of_text(new) end
  local last = #codes + CONFIG.indexed
  for _, code in ipairs(new.codes) do
    if #codes == last then break end
    if #(postings[code] or {}) < CONFIG.max_pages_per_code then codes[#codes + 1] = code end
  end
  return codes
end

-- Steps -----------------------------------------------------------------------------------------

-- Commands of this script, of the store and of the table of templates.
local COMMANDS = {
  'decr', 'del', 'exec', 'exists', 'expire', 'get', 'hexists', 'hget', 'hgetall', 'hlen', 'hset',
  'incr', 'mget', 'mset', 'multi', 'persist', 'set', 'setrange', 'time', 'ttl', 'zadd', 'zcount',
  'zrange', 'zrem', 'zremrangebyscore',
}

-- What the user may not run on the keys of the store; said when it is opened, not in mid-crawl.
-- Before version 7 a server cannot tell.
local function list_forbidden()
  local forbidden = {}
  for _, command in ipairs(redis.acl_check_cmd and COMMANDS or {}) do
    if not redis.acl_check_cmd(command, KEYS[1], KEYS[1], KEYS[1]) then  -- of some, all are keys
      forbidden[#forbidden + 1] = command
    end
  end
  return forbidden
end

local STEPS = {}

-- ARGV: packed fingerprint. Changes nothing, so that a replica can answer.
function STEPS.find(data)
  local new = read_fingerprint(data)
  local postings = look_up(new)
  return answer(search(new, postings, nil))
end

-- ARGV: packed fingerprint, key, seconds of the lease of the writer.
function STEPS.check_and_add(data, key, lease)
  local new = read_fingerprint(data)
  local postings, raw = look_up(new)
  local matched, compared = search(new, postings, key)
  local entry = {key = key, cluster = 0, run = RUN, writer = WRITER, data = data}
  local codes = codes_to_index(new, postings)
  if matched and (CONFIG.updates == 'drop' or matched.comparison[1] ~= 'update') then
    entry.run, entry.data, codes = CONFIRMED, '', {}
  end
  local own = read_entry_of(key)
  local near = matched and matched.entry or own
  if near then entry.cluster = near.cluster end
  if own and own.run == CONFIRMED and own.data ~= ''
    and (read_fingerprint(own.data).exact or CONFIRMED) == string.sub(data, 1, 8) then
    entry.run = CONFIRMED  -- this text was exported before
  end
  local leaves = own and own.cluster ~= entry.cluster and own.data ~= ''
    and not has_representative(own.cluster, own.row)
  local older = matched and entry.data ~= '' and entry.run == CONFIRMED
    and list_older(entry.cluster, own and own.row, RUN, data) or {}

  if RUN ~= CONFIRMED then call('SET', key_of('w:', WRITER), 1, 'EX', lease) end
  if matched and matched.entry.key == key and entry.data == '' then
    return answer(matched, compared)  -- the confirmed entry of this key stays
  end
  entry.row = own and own.row or call('INCR', PREFIX .. 'row')
  if own then delete(own) end
  if leaves then move_cluster(own.cluster, entry.cluster) end
  if entry.cluster == 0 then entry.cluster = entry.row end
  insert(entry, codes, own and {} or raw)
  demote(older)
  return answer(matched, compared)
end

-- ARGV: keys. Returns how many were pending.
function STEPS.confirm(...)
  local done = 0
  for _, key in ipairs({...}) do
    local entry = read_entry_of(key)
    if entry and entry.run ~= CONFIRMED then
      local older = list_older(entry.cluster, entry.row, entry.run, entry.data)
      call('SETRANGE', key_of('e:', entry.row), 4, CONFIRMED)
      demote(older)
      done = done + 1
    end
  end
  return done
end

-- ARGV: key. Returns 1 when it was there.
function STEPS.remove(key)
  local entry = read_entry_of(key)
  if not entry then return 0 end
  local rest = rows_of_cluster(entry.cluster)
  local stays = has_representative(entry.cluster, entry.row)
  delete(entry)
  for _, row in ipairs(stays and {} or rest) do
    local copy = read_entry(row)
    if copy and copy.cluster == entry.cluster then delete(copy) end
  end
  return 1
end

-- ARGV: row that founded a cluster. Returns the keys of its pages, the first kept first.
function STEPS.cluster(founder)
  local keys = {}
  for _, row in ipairs(rows_of_cluster(tonumber(founder))) do
    local entry = read_entry(row)
    if entry and entry.cluster == tonumber(founder) then keys[#keys + 1] = entry.key end
  end
  return keys
end

-- Returns the number of pages.
function STEPS.count()
  local now = tonumber(call('TIME')[1])
  local timed = call('ZCOUNT', PREFIX .. 'timed', now, '+inf')
  return timed + tonumber(call('GET', PREFIX .. 'count') or 0)
end

-- ARGV: seconds of the lease of a writer, then field, value, field, value ... of the header.
-- Returns the number of the writer, a new one unless the store still exists, and the header of the
-- store, which is written when there is none.
function STEPS.open(lease, ...)
  local forbidden = list_forbidden()
  if #forbidden > 0 then
    return redis.error_reply('WEBCLEAN forbidden: ' .. table.concat(forbidden, ' '))
  end
  local writer = WRITER
  if call('EXISTS', KEYS[1]) == 0 then
    writer = 0
    call('HSET', KEYS[1], 'digest', DIGEST, ...)
  end
  if writer == 0 then writer = call('INCR', PREFIX .. 'writer') end
  call('SET', key_of('w:', writer), 1, 'EX', lease)
  return {writer, call('HGETALL', KEYS[1])}
end

if STEP ~= 'open' and call('HGET', KEYS[1], 'digest') ~= DIGEST then
  return redis.error_reply('WEBCLEAN header')
end
return STEPS[STEP](unpack(ARGV, 5))
