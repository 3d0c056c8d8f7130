package heapgraph
import ("testing";"os";"fmt";"time";"mallard/internal/heap";"mallard/internal/profile")
func TestQ(t *testing.T){
 f,_:=os.Open(os.Getenv("QF")); ev:=profile.Events{heap.Observer:nil}
 if _,err:=profile.Fold(f,ev);err!=nil{t.Fatal(err)}
 s:=time.Now(); lap:=func(w string){fmt.Println(w,time.Since(s));s=time.Now()}
 h:=heap.NewHistory(ev[heap.Observer]); lap("history")
 fmt.Println("check", len(h.Check(25).Violations), "damaged", h.Damaged)
 g,err:=New(ev[heap.Observer],h); if err!=nil{t.Fatal(err)}; lap("graph")
 bytes:=0; for _,r:=range ev[heap.Observer]{ for k,d:=range r.All(){ if k>=10 {bytes+=len(d)}}}
 fmt.Printf("objects %d refs %d damaged %d missing %d complete %v roots %d shapes %d mirrors %d took %+v bytes/object %.2f\n",g.Objects,len(g.target),g.Damaged,g.Missing,g.Complete,len(g.roots),len(g.shapes),len(g.mirrors),g.Took,float64(bytes)/float64(g.Objects))
 r:=g.Reach(); lap("reach"); fmt.Println(r.Sums)
 d:=NewDominators(r); lap("dominators")
 q:=heap.Query{Top:12}
 rows,n:=d.Retained(q); lap("retained")
 for _,x:=range rows{fmt.Println(h.Name(x.Class),x.Amount,x.Retained)}; fmt.Println(n)
 tops,n:=d.Tops(q); lap("tops")
 for _,x:=range tops{fmt.Println(h.Name(x.Class),x.Name,x.Amount,x.Retained,x.Way, x.HasGathers, h.Name(x.Gathers))}; fmt.Println(n)
 ps,n:=r.Paths(heap.Query{Class:os.Getenv("QC"),Top:20}); lap("paths")
 for _,x:=range ps{fmt.Println(h.Name(x.Class),x.Amount,x.Strength,x.Way)}; fmt.Println(n)
}
