-- Arguments are values of the Authorization header, sent in turn. Prints what a run measured as one line of JSON. There
-- is no `response` function here: it would cost the load generator time in every request.
local requests = {}
local next = 0

init = function(arguments)
  wrk.method = os.getenv('LOAD_METHOD')
  for i = 1, math.max(1, #arguments) do
    wrk.headers["authorization"] = arguments[i]
    requests[i] = wrk.format()
  end
end

request = function()
  next = next % #requests + 1
  return requests[next]
end

done = function(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    'REPORT {"requests":%d,"seconds":%f,"p50Ms":%f,"p99Ms":%f,' ..
      '"failed":{"connect":%d,"read":%d,"write":%d,"status":%d,"timeout":%d}}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    errors.connect, errors.read, errors.write, errors.status, errors.timeout))
end
