import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Overload","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/overload.md","filePath":"decisions/overload.md"}');
const _sfc_main = { name: "decisions/overload.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="overload" tabindex="-1">Overload <a class="header-anchor" href="#overload" aria-label="Permalink to &quot;Overload&quot;">​</a></h1><p><strong>Context.</strong> Twenty one-sentence requests at once are ordinary load and half a second of work. Under a lasting overload every retry is load too, and a request that is admitted late has waited for nothing. A first design gave each engine one waiting place and let callers search for 0.2 s; it refused 13 of the 20 requests. A second one refused on arrival what it expected to wait too long, by the median time of recent segments, and admitted almost nothing while a queue did not empty for two seconds.</p><p><strong>Measurement.</strong> The second design refused what it could have served: after eight long texts 21 of 25 short sentences that came at once on an idle machine, since it took each for as long as the long ones; and 27 of 40 while two endless loops kept both cores busy.</p><p><strong>Decision.</strong> A worker&#39;s queue is an order, a deadline and a length (<code>services/tts/src/scheduler.ts</code>). Nothing is estimated: a request that has not begun after 8 s (HTTP) or 2 s (a stream) is refused then, and a full queue refuses at once. Under a lasting overload those admitted wait for almost that long, which is the price of never refusing a burst that could be served. Replies of conversations do not pay it: they come first. One engine is no longer kept free for a second workspace: segments are short, so it waits for one of them at most.</p><p>Two rules are beside it:</p><ul><li>One workspace may fill a worker&#39;s queue, but not at the cost of others: the order is fair only among requests that were admitted. While a workspace has more than half of a full queue, a request of another takes the place of its newest one, which is refused. A first rule refused a workspace at half of the queue, though places were free.</li><li>A worker is in two queue groups. It leaves the second one, which queues requests, only when its queue is full and no workspace has more than half of it. It leaves the first one when a request waits for each of its engines. Callers ask the first group and then the second, so that a request does not wait at one worker while another is free.</li></ul><p>Workers do not tell each other which texts crashed an engine: a text ends two processes and fails. <code>bench/overload.mjs</code> checks that those admitted begin within their deadline, that the others are refused within 100 ms of it, and that none is refused 5 s after the load ends.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/overload.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const overload = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  overload as default
};
