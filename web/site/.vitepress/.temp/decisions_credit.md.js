import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Credit","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/credit.md","filePath":"decisions/credit.md"}');
const _sfc_main = { name: "decisions/credit.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="credit" tabindex="-1">Credit <a class="header-anchor" href="#credit" aria-label="Permalink to &quot;Credit&quot;">​</a></h1><p><strong>Context.</strong> A row of Postgres that every request of a workspace updates gives 600 to 1,300 reservations a second.</p><p><strong>Measurement.</strong> 64 reservations at once, each reserved and settled, other work on both cores:</p><table tabindex="0"><thead><tr><th></th><th>reservations/s</th><th>reserve p50</th></tr></thead><tbody><tr><td>counter and ledger, one workspace</td><td>5,957</td><td>1.76 ms</td></tr><tr><td>counter and ledger, 50 workspaces</td><td>4,502</td><td>1.71 ms</td></tr><tr><td>the same Redis scripts without a ledger</td><td>28,667</td><td>1.23 ms</td></tr><tr><td>one row of Postgres per workspace, one workspace</td><td>1,035</td><td>28.9 ms</td></tr></tbody></table><p><strong>Decision.</strong> Redis counts leases down, and a double-entry ledger in Postgres is the truth. Settlements of a workspace go to the ledger together. Checking credit against the ledger for each token cost 5.8 CPU-s for 10,000 tokens instead of 1.8.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/credit.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const credit = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  credit as default
};
