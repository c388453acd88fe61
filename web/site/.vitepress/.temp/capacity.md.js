import { ssrRenderAttrs, ssrRenderAttr } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const _imports_0 = "/docs/assets/capacity.DvtNJZ20.svg";
const __pageData = JSON.parse('{"title":"Capacity","description":"","frontmatter":{},"headers":[],"relativePath":"capacity.md","filePath":"capacity.md"}');
const _sfc_main = { name: "capacity.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="capacity" tabindex="-1">Capacity <a class="header-anchor" href="#capacity" aria-label="Permalink to &quot;Capacity&quot;">​</a></h1><p>Speech and recognition take most of the processor. Each process takes as much as it can do well, and refuses the rest at once, so that what runs keeps its quality.</p><p><img${ssrRenderAttr("src", _imports_0)} alt="A request goes to a worker that has room, and is refused at once when none has"></p><table tabindex="0"><thead><tr><th>limit</th><th>refused with</th></tr></thead><tbody><tr><td>conversations and streams of a workspace at once (20 and 50; <code>npx parlance workspace limits</code>)</td><td>429 <code>concurrency_limited</code></td></tr><tr><td>requests of a workspace in a minute (<code>RATE_LIMIT_PER_MINUTE</code>)</td><td>429 <code>rate_limited</code></td></tr><tr><td>conversations of a process (<code>SESSION_LIMIT</code>); the next goes to another process</td><td>503 <code>capacity_exhausted</code> when all are full</td></tr><tr><td>requests that wait for an engine (<code>TTS_QUEUE_LIMIT</code>); the next goes to another worker</td><td>503 <code>capacity_exhausted</code> when all are full</td></tr><tr><td>a process that is asked to stop</td><td>503 <code>draining</code>; what runs may end</td></tr></tbody></table><ul><li>All of these are <code>retryable</code>, and have <code>Retry-After</code>. A refused token can be used again.</li><li>A request over HTTP waits for an engine for 8 s at most, the first audio of a stream for 2 s.</li><li>Nothing is sticky: any gateway finds any conversation and any worker, so replicas can be added and removed at any time.</li></ul><p><a href="./scale">Scale</a> says what a core does, and how replicas are added automatically.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("capacity.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const capacity = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  capacity as default
};
