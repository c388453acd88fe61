import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Time limits of calls","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/time-limits.md","filePath":"decisions/time-limits.md"}');
const _sfc_main = { name: "decisions/time-limits.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="time-limits-of-calls" tabindex="-1">Time limits of calls <a class="header-anchor" href="#time-limits-of-calls" aria-label="Permalink to &quot;Time limits of calls&quot;">​</a></h1><p><strong>Context.</strong> A request reads its API key from Redis within a time limit. A CPU profile of the gateway under <code>bench/voices.mjs</code> showed 7 % of its time in one constructor: <code>p-timeout</code> makes its <code>TimeoutError</code>, with two stack traces, for every call, also where the call is in time and where another result is given instead of the error.</p><p><strong>Measurement.</strong> CPU of one call that is in time, six asynchronous functions deep: 16 µs with <code>p-timeout</code> 7.0.2, 0.7 µs with <code>setTimeout</code> and two handlers. <code>voices --limit 4</code>, gateway CPU beside that of a bare <code>node:http</code> gateway on the same bus: 2.4 × before, 2.2 × after.</p><p><strong>Decision.</strong> <code>withTimeout</code> of <code>libs/async</code> is written with <code>setTimeout</code>, without a library.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/time-limits.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const timeLimits = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  timeLimits as default
};
