import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"NATS client","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/nats-client.md","filePath":"decisions/nats-client.md"}');
const _sfc_main = { name: "decisions/nats-client.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="nats-client" tabindex="-1">NATS client <a class="header-anchor" href="#nats-client" aria-label="Permalink to &quot;NATS client&quot;">​</a></h1><p><strong>Context.</strong> The library&#39;s <code>request()</code> creates two errors, a race and a timer for each call, and iterators cost a promise for each message. A client of our own (770 lines) replaced it for a time.</p><p><strong>Measurement.</strong> The official client, with callback subscriptions and publishes batched per tick, beside our own client:</p><table tabindex="0"><thead><tr><th></th><th>our own</th><th>official</th></tr></thead><tbody><tr><td>frames, 50 streams, gateway CPU beside a bare <code>ws.send</code></td><td>1.60 ×</td><td>1.87 ×</td></tr><tr><td>request path, gateway CPU to NestJS</td><td>0.15 ×</td><td>0.18 ×</td></tr><tr><td>bus call, caller and callee, 64 outstanding</td><td>5.9 µs</td><td>19.2 µs (22.2 µs without batching)</td></tr></tbody></table><p><strong>Decision.</strong> <code>@nats-io/transport-node</code> behind the bus port. It brings nkeys, JWT credentials, client certificates, checks of TLS names, lame-duck mode and typed permission errors. Replies of all calls share one inbox, and one timer ends late calls. The client compares the certificate of a server that is named by an IP address with <code>localhost</code>; <code>libs/bus/src/nats/tls.ts</code> compares it with the address.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/nats-client.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const natsClient = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  natsClient as default
};
