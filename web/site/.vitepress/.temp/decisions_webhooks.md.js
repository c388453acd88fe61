import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Webhooks: the table of deliveries is the queue","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/webhooks.md","filePath":"decisions/webhooks.md"}');
const _sfc_main = { name: "decisions/webhooks.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="webhooks-the-table-of-deliveries-is-the-queue" tabindex="-1">Webhooks: the table of deliveries is the queue <a class="header-anchor" href="#webhooks-the-table-of-deliveries-is-the-queue" aria-label="Permalink to &quot;Webhooks: the table of deliveries is the queue&quot;">​</a></h1><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Deliveries are retried after 5 s, 5 min, 30 min, 2 h, 5 h and 10 h. None may be lost when a process is killed, several replicas share the work, and no delivery may exist without its event.</p><h2 id="choice" tabindex="-1">Choice <a class="header-anchor" href="#choice" aria-label="Permalink to &quot;Choice&quot;">​</a></h2><p>A delivery is a row with <code>next_attempt_at</code>, <code>run</code> and <code>claimed_until</code>. There is no second table of jobs.</p><ul><li>A process claims as many due deliveries as it has room for, with one <code>update … for no key update skip locked</code>. It does so each second and when events come in.</li><li>A claim ends after twice <code>WEBHOOK_TIMEOUT_SECONDS</code>. A process that has not recorded an outcome by then counts as ended. Another process claims the delivery and sends the event again, with the same id.</li><li>The outcome and the time of the next attempt are written in one transaction. <code>run</code> fences it: the outcome of an attempt has no effect on a delivery that was replayed, given up or attempted by another process in the meantime.</li><li>Of the attempts of a process a workspace has a quarter at most. A workspace that has as many is left out of the claim. A process that is not busy claims small batches, so that one of them cannot be more than the share of a workspace.</li></ul><h2 id="what-was-used-before" tabindex="-1">What was used before <a class="header-anchor" href="#what-was-used-before" aria-label="Permalink to &quot;What was used before&quot;">​</a></h2><p>pg-boss 10 kept a job for each attempt. Its tables have no workspace, its version for Node 20 knows no groups, and its maintenance opens transactions in a connection of the pool. Four of its statements had to be rewritten. Claiming rows takes less code than adapting it did.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/webhooks.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const webhooks = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  webhooks as default
};
